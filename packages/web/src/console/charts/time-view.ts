import { useEffect, useState } from 'react'

/** Unix seconds. */
export interface TimeRange {
  from: number
  to: number
}

/**
 * The range that all charts of a page share. It changes outside of React's state: sixty renders a
 * second are too many.
 */
export interface TimeView {
  get(): TimeRange
  set(range: TimeRange): void
  /** @param listener Called at most once a frame. */
  subscribe(listener: () => void): () => void
}

const SHORTEST_SECONDS = 60

/** Keeps a range within its limits: half of it may lie outside. */
function clamp({ from, to }: TimeRange, limits: TimeRange): TimeRange {
  const longest = Math.max((limits.to - limits.from) * 1.2, 86_400)
  const span = Math.min(Math.max(to - from, SHORTEST_SECONDS), longest)
  const middle = Math.min(Math.max((from + to) / 2, limits.from), limits.to)
  return { from: middle - span / 2, to: middle + span / 2 }
}

/**
 * Creates a view of time.
 * @param limits Range that has data.
 */
export function createTimeView(initial: TimeRange, limits: TimeRange): TimeView {
  let range = clamp(initial, limits)
  let isDue = false
  const listeners = new Set<() => void>()
  return {
    get: () => range,
    set: (next) => {
      range = clamp(next, limits)
      if (isDue) return
      isDue = true
      requestAnimationFrame(() => {
        isDue = false
        for (const listener of listeners) listener()
      })
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** Returns where an instant is in a range, from 0 at its start to 1 at its end. */
export const partOf = ({ from, to }: TimeRange, seconds: number): number =>
  Math.min(1, Math.max(0, (seconds - from) / (to - from)))

/** Moves the view by a part of the visible range; a positive part moves it to later times. */
export function panView(view: TimeView, part: number): void {
  const { from, to } = view.get()
  const by = (to - from) * part
  view.set({ from: from + by, to: to + by })
}

/**
 * Zooms the view.
 * @param factor Below 1 shows less time.
 * @param at Point that keeps its place: 0 is the left edge, 1 the right one.
 */
export function zoomView(view: TimeView, factor: number, at = 0.5): void {
  const { from, to } = view.get()
  const fixed = from + (to - from) * at
  view.set({ from: fixed - (fixed - from) * factor, to: fixed + (to - fixed) * factor })
}

/**
 * Returns a text or number that is computed of the range, as React state: renders only when it
 * changes.
 * @param read Computes the value.
 */
export function useViewValue<Value extends string | number>(
  view: TimeView,
  read: (range: TimeRange) => Value,
): Value {
  const [value, setValue] = useState(() => read(view.get()))
  useEffect(() => {
    const update = () => setValue(read(view.get()))
    update()
    return view.subscribe(update)
  }, [view, read])
  return value
}
