import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { LINE_MARK, type TestLine } from './reporter.ts'
import { Totals } from './totals.ts'

export interface ProcessesOptions {
  /** Folder of the files with which the processes start. */
  directory: string
  /** Number of processes that run at the same time, each in a slot. */
  concurrency: number
  environmentOf(slot: number): Record<string, string>
  /** A process in which no test ends for this long is killed. */
  patienceMs: number
}

/** Running process groups; all must end before this process. */
const running = new Set<number>()
process.once('exit', killRunning)

/** Kills all processes of tests. */
export function killRunning(): void {
  for (const group of running) killGroup(group)
}

function killGroup(group: number): void {
  try {
    process.kill(-group, 'SIGKILL')
  } catch {
    // The whole group has ended already.
  }
}

/**
 * Runs batches of test files, each in a process of its own, and prints a line for each file. A file
 * whose process ends early or hangs has failed; those after it run in another process.
 */
export async function runBatches(
  batches: string[][],
  totals: Totals,
  options: ProcessesOptions,
): Promise<void> {
  const queue = [...batches]
  let made = 0
  const work = async (_: unknown, slot: number) => {
    const environment = options.environmentOf(slot)
    for (let files = queue.shift(); files !== undefined; files = queue.shift()) {
      made += 1
      const batch = writeBatch(options.directory, made, files)
      queue.unshift(...(await runBatch(batch, files, totals, { ...options, environment })))
    }
  }
  await Promise.all(Array.from({ length: Math.min(options.concurrency, queue.length) }, work))
}

/**
 * Runs each failed file once more, alone. One that passes then is flaky: its failures no longer
 * count, and the totals name it. One that fails twice has failed.
 */
export async function retryFailed(totals: Totals, options: ProcessesOptions): Promise<void> {
  for (const file of totals.failedFiles) {
    console.log(`\nOnce more, alone: ${file}`)
    const again = new Totals()
    await runBatches([[file]], again, { ...options, concurrency: 1 })
    if (again.failed === 0) totals.replaceResult(file, again)
  }
}

/** Writes a test file that runs others, one after the other. */
function writeBatch(directory: string, number: number, files: string[]): string {
  const path = join(directory, `batch-${number}.mjs`)
  const runner = JSON.stringify(join(import.meta.dirname, 'batch.ts'))
  writeFileSync(
    path,
    `import { runTogether } from ${runner}\nrunTogether(${JSON.stringify(files)})\n`,
  )
  return path
}

/** Progress of a process with its files. */
interface Progress {
  waiting: Set<string>
  /** The running file, and its last test that ended. */
  started?: string
  last: string
}

/** @returns batches of the files that have not run */
async function runBatch(
  batch: string,
  files: string[],
  totals: Totals,
  { patienceMs, environment }: ProcessesOptions & { environment: Record<string, string> },
): Promise<string[][]> {
  const reporter = ['--test-reporter', join(import.meta.dirname, 'reporter.ts')]
  const child = spawn(process.execPath, [...reporter, batch], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...environment },
    detached: true,
  })
  const ended = new Promise<string>((done) => {
    child.once('close', (code, signal) => done(`${signal ?? code}`))
  })
  const group = child.pid ?? Number.NaN
  running.add(group)
  let isHung = false
  const watch = setTimeout(() => {
    isHung = true
    killGroup(group)
  }, patienceMs)
  const progress: Progress = { waiting: new Set(files), last: '' }
  for await (const text of createInterface({ input: child.stdout })) {
    if (text.startsWith(LINE_MARK)) {
      watch.refresh()
      recordLine(JSON.parse(text.slice(LINE_MARK.length)), progress, totals)
    } else console.log(text)
  }
  const code = await ended
  clearTimeout(watch)
  // Servers that its tests left running are killed with it.
  killGroup(group)
  running.delete(group)
  const reason = isHung ? `hangs: no test ended for ${patienceMs / 1000} s` : `ended with ${code}`
  if (progress.waiting.size > 0) return endEarly(reason, progress, totals)
  if (code !== '0' && !totals.failedFiles.some((file) => files.includes(file))) {
    const failure = `The process of these files ended with ${code} after its tests.`
    totals.fail(files, files.join(', '), failure)
  }
  return []
}

/** Records what a process reports. */
function recordLine(line: TestLine, progress: Progress, totals: Totals): void {
  if (line.type === 'start') progress.started = line.file
  else if (line.type === 'note') console.log(`   ${line.text}`)
  else if (line.type === 'failed')
    totals.fail([line.file], `${line.file} › ${line.name}`, line.failure)
  else if (line.type === 'end') {
    const { file, cpuMs, wallMs } = line
    Object.assign(totals.resultOf(file), { cpuMs, wallMs })
    progress.waiting.delete(file)
    progress.started = undefined
    console.log(`${(wallMs / 1000).toFixed(1).padStart(6)} s  ${file}`)
  } else {
    if (line.type === 'skipped') totals.resultOf(line.file).skipped.push(line.reason)
    else totals.resultOf(line.file).passed += 1
    progress.last = line.name
  }
}

/**
 * Records that a process ended before its files did. The file that ran has failed.
 * @returns batches of the files that have yet to run
 */
function endEarly(
  reason: string,
  { waiting, started, last }: Progress,
  totals: Totals,
): string[][] {
  const files = [...waiting]
  // It ended between two of them or as it loaded them, so which one did it shows when each is
  // alone. Where it does not show, the totals name them all.
  if (started === undefined && files.length > 1) {
    totals.earlyEnds.push({ files, reason })
    return files.map((file) => [file])
  }
  const [blamed = ''] = started === undefined ? files : [started]
  const after = last === '' ? '' : ` The last test that ended: ${last}`
  totals.fail([blamed], blamed, `Its process ${reason}.${after}`)
  const others = files.filter((file) => file !== blamed)
  return others.length > 0 ? [others] : []
}
