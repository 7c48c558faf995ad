import { createRequire } from 'node:module'

/** Stream of the progress: not the one of the result, so that a pipe gets only the result. */
export type ProgressStream = NodeJS.WriteStream

export interface Progress {
  done: number
  /** 0 while it is not known. */
  total: number
  /** Text beside the share. */
  details: string
}

export interface ProgressDisplay {
  show(progress: Progress): void
  /** Removes the bar, so that the next line is clean. */
  clear(): void
}

/** Interval of progress lines in a log file. */
const LINE_INTERVAL_MS = 5000
const MOST_BAR_CELLS = 28
const LEAST_BAR_CELLS = 8
/** Space for the texts around a bar; the library cuts off longer ones. */
const TEXT_COLUMNS = 72
const FRAMES_A_SECOND = 10

/** Shows a bar on a terminal, and occasional plain lines elsewhere. */
export function createProgressDisplay(title: string, stream: ProgressStream): ProgressDisplay {
  return stream.isTTY ? createBar(title, stream) : createLines(title, stream)
}

function createBar(title: string, stream: ProgressStream): ProgressDisplay {
  const room = stream.columns - TEXT_COLUMNS
  // Loaded only where there is a terminal: most commands draw nothing.
  const load = createRequire(import.meta.url)
  const { SingleBar } = load('cli-progress') as typeof import('cli-progress')
  const bar = new SingleBar({
    stream,
    format: `${title}  {bar} {share}  {details}`,
    barCompleteChar: '█',
    barIncompleteChar: '░',
    barsize: Math.max(LEAST_BAR_CELLS, Math.min(room, MOST_BAR_CELLS)),
    fps: FRAMES_A_SECOND,
    hideCursor: true,
    clearOnComplete: true,
    // The caller handles Ctrl-C; the library would end the process.
    gracefulExit: false,
  })
  let isStarted = false
  let isCleared = false
  return {
    show({ done, total, details }) {
      if (isCleared) return
      const payload = { share: shareOf(done, total).padStart(4), details }
      if (!isStarted) bar.start(total || 1, total === 0 ? 0 : done, payload)
      isStarted = true
      if (total > 0) bar.setTotal(total)
      bar.update(total === 0 ? 0 : done, payload)
    },
    clear() {
      if (isStarted) bar.stop()
      isCleared = true
    },
  }
}

function createLines(title: string, stream: ProgressStream): ProgressDisplay {
  let shownAt = Number.NEGATIVE_INFINITY
  return {
    show({ done, total, details }) {
      if (performance.now() - shownAt < LINE_INTERVAL_MS) return
      shownAt = performance.now()
      stream.write(`${title} ${shareOf(done, total)} ${details}`.replace(/ +/g, ' ').concat('\n'))
    },
    clear() {},
  }
}

function shareOf(done: number, total: number): string {
  return total === 0 ? '' : `${Math.floor((Math.min(done, total) / total) * 100)}%`
}

/** Returns the seconds until the end at the speed so far, or undefined while that is a guess. */
export function estimateSeconds(done: number, total: number, seconds: number): number | undefined {
  if (seconds < 1 || done <= 0 || total <= 0 || done >= total) return undefined
  return (seconds / done) * (total - done)
}
