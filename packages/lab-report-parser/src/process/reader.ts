import { Worker } from 'node:worker_threads'
import { loadSharp } from '../pages/image.ts'
import type { ParseOutcome, ParseProgress } from '../report.ts'
import { EngineProblem, FileProblem } from '../report.ts'
import { measureMemory } from './memory.ts'
import {
  type Answer,
  type ProcessSettings,
  type Reply,
  type Task,
  WATCHDOG_NAME,
} from './protocol.ts'

// Runs in a process of its own, and reads untrusted files. Engines are loaded on demand.

type Parse = (
  files: readonly Uint8Array[],
  options: { onProgress: (progress: ParseProgress) => void },
) => Promise<ParseOutcome>

/** Share of its memory limit: leftovers of a document must not count against the next. */
const WORN_SHARE = 0.7

const settings = JSON.parse(process.argv[2] ?? '') as ProcessSettings

/** Turns off all decoders but JPEG and PNG, and the caches of files. */
async function restrictDecoders(): Promise<void> {
  const sharp = await loadSharp()
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer'] })
  sharp.cache(false)
  sharp.concurrency(1)
}

// Without it only pictures cannot be read: their tasks report it.
const isReady = restrictDecoders().catch((error) => {
  if (!(error instanceof EngineProblem)) throw error
})

async function answerTask(task: Task): Promise<Answer> {
  try {
    await isReady
    if (task.kind === 'inspect') {
      const { inspectFiles } = await import('../document/inspect-files.ts')
      return { kind: 'inspected', inspection: await inspectFiles(task.files) }
    }
    if (task.kind === 'render') {
      const { renderPagePicture } = await import('../pages/page-picture.ts')
      const { file, page, width } = task
      return { kind: 'rendered', picture: await renderPagePicture(file, page, width) }
    }
    const { parseLabReport } = (await import(settings.engine)) as { parseLabReport: Parse }
    const onProgress = (progress: ParseProgress) => reply({ kind: 'progress', progress })
    return { kind: 'parsed', outcome: await parseLabReport(task.files, { onProgress }) }
  } catch (error) {
    if (error instanceof FileProblem) return { kind: 'file_problem', code: error.code }
    if (error instanceof EngineProblem) return { kind: 'engine_problem', part: error.part }
    return { kind: 'failed' }
  }
}

function reply(message: Reply): void {
  process.send?.(message)
}

new Worker(new URL('./watchdog.ts', import.meta.url), {
  name: WATCHDOG_NAME,
  workerData: { ...settings, parent: process.ppid },
})
process.on('message', async (task: Task) => {
  reply({ kind: 'begun' })
  const given = await answerTask(task)
  const isBig =
    measureMemory(settings.memoryDescriptor) > WORN_SHARE * settings.memoryMb * 1024 * 1024
  // An engine that could not be loaded is not retried in the same process.
  const isWorn = isBig || given.kind === 'engine_problem'
  reply({ kind: 'answer', answer: given, isWorn })
})
process.on('disconnect', () => process.exit())
// A terminal and a supervisor signal all processes at once: the server decides, and ends this one.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
