import { useEffect, useState } from 'react'

/** Unix seconds. */
export interface TimeRange {
  from: number
  to: number
}

/**
 * The range that charts show together. It moves past React: sixty times a second is too often for
 * that.
 */
export interface TimeView {
  get(): TimeRange
  set(range: TimeRange): void
  /** @param listener Called at most once a frame. */
  subscribe(listener: () => void): () => void
}

const SHORTEST_SECONDS = 60

/** Keeps a range within what there is: half of it may lie outside. */
function clamp({ from, to }: TimeRange, limits: TimeRange): TimeRange {
  const longest = Math.max((limits.to - limits.from) * 1.2, 86_400)
  const span = Math.min(Math.max(to - from, SHORTEST_SECONDS), longest)
  const middle = Math.min(Math.max((from + to) / 2, limits.from), limits.to)
  return { from: middle - span / 2, to: middle + span / 2 }
}

/** @param limits From when to when there are data. */
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

/** Moves by a part of what is visible, to later where it is positive. */
export function panView(view: TimeView, part: number): void {
  const { from, to } = view.get()
  const by = (to - from) * part
  view.set({ from: from + by, to: to + by })
}

/**
 * @param factor Below 1 shows less time.
 * @param at What stays where it is: 0 is the left edge, 1 the right one.
 */
export function zoomView(view: TimeView, factor: number, at = 0.5): void {
  const { from, to } = view.get()
  const fixed = from + (to - from) * at
  view.set({ from: fixed - (fixed - from) * factor, to: fixed + (to - fixed) * factor })
}

/**
 * What is told of the range, as React state: renders only when it changes.
 * @param tell Makes a text or number of the range.
 */
export function useOfView<Told extends string | number>(
  view: TimeView,
  tell: (range: TimeRange) => Told,
): Told {
  const [told, setTold] = useState(() => tell(view.get()))
  useEffect(() => {
    const update = () => setTold(tell(view.get()))
    update()
    return view.subscribe(update)
  }, [view, tell])
  return told
}
