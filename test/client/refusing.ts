import assert from 'node:assert/strict';
import { DaybookError } from '../../client/src/index.ts';

export const refusal = async (asking: Promise<unknown>): Promise<DaybookError> => {
  try {
    await asking;
  } catch (error) {
    assert.ok(error instanceof DaybookError, String(error));
    return error;
  }
  assert.fail('it was answered');
};
