#!/usr/bin/env node
// Plain JavaScript, so that a Node.js too old for the rest can still start the right one.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import module, { createRequire } from 'node:module'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const NEEDED_MAJOR = 24
const [major = 0] = process.versions.node.split('.').map(Number)

/** The Node.js that the project pins as the npm package `node`, when it is installed. */
function findPinnedNode() {
  try {
    const manifest = createRequire(import.meta.url).resolve('node/package.json')
    const name = process.platform === 'win32' ? 'node.exe' : 'node'
    const path = join(dirname(manifest), 'bin', name)
    return existsSync(path) ? path : undefined
  } catch {
    return undefined
  }
}

function runWith(node) {
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: 'inherit',
  })
  // A terminal sends Ctrl-C to both; the child decides, and this one waits for its last words.
  process.on('SIGINT', () => {})
  process.on('SIGTERM', () => child.kill('SIGTERM'))
  child.once('error', (error) => {
    console.error(`salus: ${node} does not start (${error.message}). Run "npm ci" again.`)
    process.exit(1)
  })
  child.once('exit', (code, signal) => {
    process.exit(code ?? 128 + (constants.signals[signal ?? 'SIGTERM'] ?? 15))
  })
}

if (major >= NEEDED_MAJOR) {
  // TypeScript is compiled once and kept with the system's temporary files: a call takes a third of
  // the time.
  module.enableCompileCache?.()
  await import('../src/main.ts')
} else {
  const pinned = findPinnedNode()
  if (pinned === undefined) {
    console.error(
      `salus: this needs Node.js ${NEEDED_MAJOR} or newer, and this is ${process.version}. ` +
        'Run "npm ci" in the folder of Salus, which brings the right one, or install it.',
    )
    process.exit(1)
  }
  runWith(pinned)
}
