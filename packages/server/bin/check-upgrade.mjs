import module from 'node:module'

// What "salus doctor --before-upgrade" runs: the data directory is its argument.
module.enableCompileCache?.()
await import('../src/commands/check-upgrade.ts')
