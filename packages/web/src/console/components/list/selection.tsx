import { type KeyboardEvent, type ReactNode, useMemo, useRef, useState } from 'react'

/** Chosen rows of a list. */
export interface Selection {
  /** Ids of the rows that are chosen and still in the list. */
  ids: readonly string[]
  has: (id: string) => boolean
  /** Chooses or leaves a row; with `isRange` also all rows from the last one that was touched. */
  toggle: (id: string, isRange: boolean) => void
  /** Chooses all loaded rows, or none when all of them are chosen. */
  toggleAll: () => void
  clear: () => void
  state: 'none' | 'some' | 'all'
}

/** Keeps which rows of a list are chosen. Rows that are no longer in the list do not count. */
export function useSelection(loaded: readonly string[]): Selection {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const last = useRef<string>(undefined)
  return useMemo(() => {
    const ids = loaded.filter((id) => chosen.has(id))
    return {
      ids,
      has: (id) => chosen.has(id),
      toggle(id, isRange) {
        const isChosen = !chosen.has(id)
        const [one, other] = [loaded.indexOf(last.current ?? id), loaded.indexOf(id)]
        const range =
          isRange && one >= 0 ? loaded.slice(Math.min(one, other), Math.max(one, other) + 1) : [id]
        last.current = id
        setChosen(withRows(chosen, range, isChosen))
      },
      toggleAll: () => setChosen(ids.length === loaded.length ? new Set() : new Set(loaded)),
      clear: () => setChosen(new Set()),
      state: ids.length === 0 ? 'none' : ids.length === loaded.length ? 'all' : 'some',
    }
  }, [loaded, chosen])
}

function withRows(
  chosen: ReadonlySet<string>,
  ids: readonly string[],
  isChosen: boolean,
): ReadonlySet<string> {
  const next = new Set(chosen)
  for (const id of ids) {
    if (isChosen) next.add(id)
    else next.delete(id)
  }
  return next
}

interface RowCheckProps {
  selection: Selection
  id: string
  /** Name of the row for screen readers. */
  name: string
}

/** Keys by which the focus goes to the checkbox of the row above or below. */
const STEPS: Readonly<Record<string, 1 | -1>> = { ArrowDown: 1, ArrowUp: -1 }

/**
 * The checkbox of a row. With Shift it chooses the rows in between, and the arrow keys go up and
 * down.
 */
export function RowCheck({ selection, id, name }: RowCheckProps): ReactNode {
  const isShifted = useRef(false)
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    isShifted.current = event.shiftKey
    const step = STEPS[event.key]
    if (step === undefined) return
    event.preventDefault()
    const list = event.currentTarget.closest('[role="table"], ul')
    const boxes = [...(list?.querySelectorAll<HTMLInputElement>('.row-check input') ?? [])]
    boxes[boxes.indexOf(event.currentTarget) + step]?.focus()
  }
  return (
    <label className="row-check">
      <input
        type="checkbox"
        aria-label={`Choose ${name}`}
        checked={selection.has(id)}
        onKeyDown={onKeyDown}
        onPointerDown={(event) => {
          isShifted.current = event.shiftKey
          // Otherwise the texts in between are marked.
          if (event.shiftKey) event.preventDefault()
        }}
        onChange={() => selection.toggle(id, isShifted.current)}
      />
    </label>
  )
}

/** The checkbox of all loaded rows. */
export function AllCheck({ selection, label }: { selection: Selection; label: string }): ReactNode {
  return (
    <label className="row-check">
      <input
        type="checkbox"
        aria-label={`Choose all loaded ${label.toLowerCase()}`}
        ref={(box) => {
          if (box) box.indeterminate = selection.state === 'some'
        }}
        checked={selection.state === 'all'}
        onChange={selection.toggleAll}
      />
    </label>
  )
}
