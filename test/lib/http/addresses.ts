import fc from 'fast-check';

export const RUNS = { numRuns: 1_000 };
export const byte = fc.nat(255);
export const ipv4 = fc.tuple(byte, byte, byte, byte).map((bytes) => bytes.join('.'));
export const groups = fc.array(fc.oneof(fc.constant(0), fc.nat(0xffff)), { minLength: 8, maxLength: 8 });
export const plain = (eight: number[]): string => eight.map((group) => group.toString(16)).join(':');
