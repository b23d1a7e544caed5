// The parts of Node's types that the extension uses.
declare module "node:fs" {
  export function existsSync(path: string): boolean;
}

declare module "node:path" {
  export function join(...parts: string[]): string;
}

declare const __dirname: string;
