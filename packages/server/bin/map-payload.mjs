import module from 'node:module'

// What "salus providers map" runs: only the server has the connectors. It needs no store.
module.enableCompileCache?.()
await import('../src/commands/map-payload.ts')
