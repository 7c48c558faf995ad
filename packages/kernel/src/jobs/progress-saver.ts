import type { Log } from '../log.ts'

const INTERVAL_MS = 500

export interface ProgressSaver<Progress> {
  /** Saves the progress, unless a save runs or ran just now. */
  offer(progress: Progress): void
  /** Waits for a save that runs; returns what was offered last, saved or not. */
  latest(): Promise<Progress | undefined>
}

/** Saves progress now and then, one save at a time; a failed one is only a missed update. */
export function createProgressSaver<Progress>(
  log: Log,
  save: (progress: Progress) => Promise<void>,
): ProgressSaver<Progress> {
  let last: Progress | undefined
  let savedAt = Number.NEGATIVE_INFINITY
  let saving: Promise<void> | undefined
  return {
    offer(progress) {
      last = progress
      if (saving !== undefined || performance.now() - savedAt < INTERVAL_MS) return
      savedAt = performance.now()
      saving = save(progress)
        .catch((error: unknown) => log.warn({ err: error }, 'progress not saved'))
        .finally(() => {
          saving = undefined
        })
    },
    async latest() {
      await saving
      return last
    },
  }
}
