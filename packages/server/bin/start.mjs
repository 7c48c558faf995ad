import module from 'node:module'

// Plain JavaScript, so that a Node.js too old for the rest can still say so.
const [major = 0] = process.versions.node.split('.').map(Number)

if (major < 24) {
  console.error(
    `Salus needs Node.js 24, and this is ${process.version}. Run "npm ci && npm start": npm brings the right one.`,
  )
  process.exit(1)
}

// TypeScript is compiled once and kept with the system's temporary files: a start takes a third
// less.
module.enableCompileCache?.()
await import('../src/main.ts')
