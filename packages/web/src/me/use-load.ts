import { useCallback, useEffect, useRef, useState } from 'react'

interface Loaded<T> {
  /** Undefined until it is loaded. */
  data: T | undefined
  error: unknown
  reload: () => void
}

/**
 * Loads what a section shows, when it is opened and by `reload`.
 * @param followMs Loads again after this time while `isUnderWay` says so.
 */
export function useLoad<T>(
  load: () => Promise<T>,
  { isUnderWay, followMs = 2_000 }: { isUnderWay?: (data: T) => boolean; followMs?: number } = {},
): Loaded<T> {
  const [data, setData] = useState<T>()
  const [error, setError] = useState<unknown>()
  const latest = useRef(load)
  const reload = useCallback((): void => {
    latest.current().then(
      (loaded) => {
        setData(loaded)
        setError(undefined)
      },
      (problem) => setError(problem),
    )
  }, [])
  useEffect(reload, [reload])
  const isFollowed = data !== undefined && error === undefined && isUnderWay?.(data) === true
  useEffect(() => {
    if (!isFollowed) return
    const timer = setInterval(reload, followMs)
    return () => clearInterval(timer)
  }, [isFollowed, followMs, reload])
  return { data, error, reload }
}

/** Runs a change, with its state for a button. */
export function useChange<Given extends unknown[]>(
  change: (...given: Given) => Promise<void>,
): { isRunning: boolean; error: unknown; run: (...given: Given) => void } {
  const [isRunning, setRunning] = useState(false)
  const [error, setError] = useState<unknown>()
  const run = (...given: Given): void => {
    setRunning(true)
    setError(undefined)
    change(...given)
      .catch((problem) => setError(problem))
      .finally(() => setRunning(false))
  }
  return { isRunning, error, run }
}
