import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { ParseOutcome, ParseProgress } from '../src/report.ts'

const forever: Uint8Array[] = []

/** Simulates an engine that a file makes misbehave; the file names the misbehavior. */
export async function parseLabReport(
  [file]: readonly Uint8Array[],
  { onProgress }: { onProgress: (progress: ParseProgress) => void },
): Promise<ParseOutcome> {
  const kept: Uint8Array[] = []
  switch (new TextDecoder().decode(file)) {
    case 'hang':
      for (;;) kept.length = 0
    case 'wait':
      await new Promise((resolve) => setTimeout(resolve, 300))
      break
    case 'sleep':
      await new Promise(() => {})
      break
    case 'take native memory':
      for (;;) kept.push(new Uint8Array(8 * 1024 * 1024).fill(1))
    case 'take memory of the heap':
      for (const strings: string[] = []; ; )
        strings.push('a'.repeat(100 + strings.length).toUpperCase())
    case 'keep memory':
      for (let count = 0; count < 36; count++) forever.push(new Uint8Array(8 * 1024 * 1024).fill(1))
      break
    case 'die':
      process.abort()
      break
    case 'throw':
      throw new Error('something of the file')
    case 'count pages':
      for (let page = 1; page <= 3; page++) onProgress({ page, pages: 3 })
      break
    case 'look around':
      return { status: 'failed', reason: 'invalid_input', detail: await lookAround() }
  }
  return { status: 'failed', reason: 'invalid_input', detail: String(process.pid) }
}

async function lookAround(): Promise<string> {
  const { spawn } = await import('node:child_process')
  const { readdir, readFile, writeFile } = await import('node:fs/promises')
  // The decoder of pictures sets this one itself.
  const found = Object.keys(process.env).filter((name) => name !== 'VIPSHOME')
  try {
    spawn('true')
    found.push('processes')
  } catch {}
  try {
    await writeFile('written', '')
    found.push('files')
  } catch {}
  for (const path of ['/etc/passwd', `/proc/${process.ppid}/environ`, '/proc/self/environ']) {
    try {
      await readFile(path)
      found.push(path)
    } catch {}
  }
  for (const folder of ['/', tmpdir(), fileURLToPath(new URL('../../../..', import.meta.url))]) {
    try {
      await readdir(folder)
      found.push(folder)
    } catch {}
  }
  return found.join(' ')
}
