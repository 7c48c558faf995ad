import module from 'node:module'
import v8 from 'node:v8'

// Plain JavaScript, so that a Node.js too old for the rest can still say so.
const [major = 0] = process.versions.node.split('.').map(Number)

if (major < 24) {
  console.error(
    `Salus needs Node.js 24, and this is ${process.version}. Run "npm ci && npm start": npm brings the right one.`,
  )
  process.exit(1)
}

// How much garbage V8 lets grow before it collects the heap, as a share of the live data: by default up
// to three times as much as them on machines with much memory, which a long pull reaches
// (docs/decisions/0121-narrow-queries-and-memory.md).
v8.setFlagsFromString('--heap-growing-percent=25')

// TypeScript is compiled once and kept with the system's temporary files: a start takes a third
// less.
module.enableCompileCache?.()
await import('../src/main.ts')
