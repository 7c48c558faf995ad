import { panView, type TimeView, zoomView } from './time-view.ts'

/** Movement of the pointer below which it was a click. */
const CLICK_PIXELS = 4
const WHEEL_STEP = 0.0022

interface GestureOptions {
  view: TimeView
  /** @param part Position in the plot: 0 is the left edge, 1 the right one. */
  onClick: (part: number) => void
}

/**
 * Moves and zooms by drag, two fingers and wheel. A wheel without Ctrl or a sideways turn still
 * moves the page, and so does a finger that goes up or down.
 * @param box Contains the plot. It outlives the plot, which is drawn anew when a drag has brought
 * more data.
 * @returns A function that removes all listeners.
 */
export function attachGestures(box: HTMLElement, { view, onClick }: GestureOptions): () => void {
  const pointers = new Map<number, number>()
  let moved = 0
  /** Where values are drawn: the box without its axes. */
  const area = (): HTMLElement => box.querySelector<HTMLElement>('.u-over') ?? box
  const isInArea = ({ target }: Event): boolean => area().contains(target as Node)
  const partOf = (clientX: number): number => {
    const { left, width } = area().getBoundingClientRect()
    return (clientX - left) / width
  }

  const onDown = (event: PointerEvent): void => {
    if (event.button !== 0 || !isInArea(event)) return
    if (pointers.size === 0) moved = 0
    pointers.set(event.pointerId, event.clientX)
  }
  const onMove = (event: PointerEvent): void => {
    const before = pointers.get(event.pointerId)
    if (before === undefined) return
    const by = event.clientX - before
    moved += Math.abs(by)
    if (by === 0) return
    const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1]
    pointers.set(event.pointerId, event.clientX)
    if (other === undefined) {
      if (moved > CLICK_PIXELS) panView(view, -by / area().clientWidth)
      return
    }
    const distance = Math.abs(before - other)
    const factor = Math.max(distance, 10) / Math.max(Math.abs(event.clientX - other), 10)
    zoomView(view, factor, partOf(other))
  }
  const onUp = (event: PointerEvent): void => {
    if (!pointers.delete(event.pointerId)) return
    if (event.type === 'pointerup' && pointers.size === 0 && moved <= CLICK_PIXELS) {
      onClick(partOf(event.clientX))
    }
  }
  const onWheel = (event: WheelEvent): void => {
    if (!isInArea(event)) return
    const isSideways = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)
    if (event.ctrlKey || event.metaKey) {
      zoomView(view, Math.exp(event.deltaY * WHEEL_STEP), partOf(event.clientX))
    } else if (isSideways) {
      panView(view, (event.deltaX || event.deltaY) / area().clientWidth)
    } else return
    event.preventDefault()
  }
  const onDoubleClick = (event: MouseEvent): void => {
    if (isInArea(event)) zoomView(view, event.shiftKey ? 2 : 0.5, partOf(event.clientX))
  }

  const detached = new AbortController()
  const { signal } = detached
  box.addEventListener('pointerdown', onDown, { signal })
  // A drag goes on beside the box, and while its first element is replaced.
  window.addEventListener('pointermove', onMove, { signal })
  window.addEventListener('pointerup', onUp, { signal })
  window.addEventListener('pointercancel', onUp, { signal })
  box.addEventListener('wheel', onWheel, { passive: false, signal })
  box.addEventListener('dblclick', onDoubleClick, { signal })
  return () => detached.abort()
}

const KEY_STEP = 0.15
const PAGE_STEP = 0.9

/** @returns Whether the key was one of those that move or zoom. */
export function moveByKey(view: TimeView, key: string): boolean {
  const moves: Record<string, () => void> = {
    ArrowLeft: () => panView(view, -KEY_STEP),
    ArrowRight: () => panView(view, KEY_STEP),
    PageUp: () => panView(view, -PAGE_STEP),
    PageDown: () => panView(view, PAGE_STEP),
    '+': () => zoomView(view, 0.5),
    '=': () => zoomView(view, 0.5),
    '-': () => zoomView(view, 2),
  }
  moves[key]?.()
  return key in moves
}
