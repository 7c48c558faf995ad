import module from 'node:module'

// What "salus shards" runs: it moves people between the shards of ClickHouse.
module.enableCompileCache?.()
await import('../src/commands/shards.ts')
