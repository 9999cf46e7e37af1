// The parts of the two engines that the bench uses. With these declarations, types can be checked without installing
// the engines, which take 600 MB.

declare module 'chdb' {
  export class Session {
    constructor(folder: string);
    query(sql: string, format?: string): string;
    queryAsync(sql: string, options: { format: string }): Promise<{ text(): string }>;
    close(): void;
  }
}

declare module '@duckdb/node-api' {
  type Connection = {
    run(sql: string): Promise<unknown>;
    runAndReadAll(sql: string): Promise<{ getRows(): unknown[][] }>;
    closeSync(): void;
  };
  type Instance = { connect(): Promise<Connection>; closeSync(): void };
  export const DuckDBInstance: { create(path: string, options: Record<string, string>): Promise<Instance> };
}
