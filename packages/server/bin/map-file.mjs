import module from 'node:module'

// What "salus import --dry-run" runs: only the server has the formats. It needs no store.
module.enableCompileCache?.()
await import('../src/commands/map-file.ts')
