import module from 'node:module'

// What "salus erasure clean-up" runs: unlike other commands it works on the stores themselves.
module.enableCompileCache?.()
await import('../src/commands/erasure-clean-up.ts')
