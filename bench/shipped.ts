// The command and the flags with which deploy/daybook.service runs the server.
export const NODE = [process.execPath, '--max-semi-space-size=16', '--v8-pool-size=1'] as const;
export const ENVIRONMENT = { ...process.env, MALLOC_MMAP_THRESHOLD_: '131072' };
