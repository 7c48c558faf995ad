// The part of WebAssembly that is used here: the types of Node have none of it, and those of the
// browser bring everything else.
declare namespace WebAssembly {
  interface Memory {
    readonly buffer: ArrayBuffer
  }
  interface Module {
    readonly _: unique symbol
  }
  interface Instance {
    readonly exports: Record<string, unknown>
  }
  type Imports = Record<string, Record<string, unknown>>
  type Exports = Record<string, unknown>
  const Instance: new (module: Module, imports: Imports) => Instance
  function compile(bytes: Uint8Array): Promise<Module>
}
