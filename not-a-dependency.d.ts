// What the names of other packages stand for inside a package that may not import them, so that the compiler
// refuses the import. Which those are stands in the `paths` of each `tsconfig.json`.
export {}
