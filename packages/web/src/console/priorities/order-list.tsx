import { ActionIcon } from '@mantine/core'
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { IconArrowDown, IconArrowUp, IconGripVertical, IconX } from '../components/icons.tsx'
import { sourceTypeTitle } from '../people/person/sources/source-words.ts'
import { type Entry, keyOf, moveEntry, OTHERS } from './priority-order.ts'
import './priorities.css'

interface OrderListProps {
  label: string
  entries: readonly Entry[]
  nameOf: (slug: string) => string
  onChange: (entries: Entry[]) => void
  /** Whether entries can be removed. */
  canRemove: boolean
  isReadOnly: boolean
}

/** Returns the title of an entry, such as `Oura, ring`. */
function titleOf(entry: Entry, nameOf: OrderListProps['nameOf']): string {
  if (entry === OTHERS) return 'Every other source'
  const kind = entry.type === null ? 'any device' : sourceTypeTitle(entry.type)
  return [nameOf(entry.provider), kind, entry.app ?? ''].filter((part) => part !== '').join(', ')
}

/** A list whose order is changed by dragging, or by buttons; each move is announced. */
export function OrderList(props: OrderListProps): ReactNode {
  const { label, entries, nameOf, onChange, isReadOnly } = props
  const [dragged, setDragged] = useState<number>()
  const [said, setSaid] = useState('')
  const list = useRef<HTMLOListElement>(null)
  /** The button that has the focus after a move, by its label. */
  const pressed = useRef<string>(undefined)
  // Moving an element takes the focus from what is within it.
  useLayoutEffect(() => {
    const { current } = pressed
    if (current === undefined) return
    pressed.current = undefined
    list.current?.querySelector<HTMLElement>(`[aria-label=${JSON.stringify(current)}]`)?.focus()
  })
  const move = (from: number, to: number): void => {
    const entry = entries[from]
    if (entry === undefined || to < 0 || to >= entries.length || from === to) return
    onChange(moveEntry(entries, from, to))
    setSaid(`${titleOf(entry, nameOf)} is at place ${to + 1} of ${entries.length}.`)
  }
  return (
    <>
      <ol className="order" aria-label={label} ref={list}>
        {entries.map((entry, place) => (
          <li
            key={keyOf(entry)}
            draggable={!isReadOnly}
            data-dragged={dragged === place || undefined}
            data-others={entry === OTHERS || undefined}
            onDragStart={(event) => {
              event.dataTransfer.effectAllowed = 'move'
              setDragged(place)
            }}
            onDragOver={(event) => {
              if (dragged === undefined) return
              event.preventDefault()
              move(dragged, place)
              setDragged(place)
            }}
            onDrop={(event) => event.preventDefault()}
            onDragEnd={() => setDragged(undefined)}
          >
            {!isReadOnly && <IconGripVertical size={18} aria-hidden />}
            <span className="order-place">{entry === OTHERS ? '' : place + 1}</span>
            <span className="order-title">
              {titleOf(entry, nameOf)}
              {entry === OTHERS && <small className="quiet">by the kind of device</small>}
            </span>
            {!isReadOnly && (
              <MoveButtons
                title={titleOf(entry, nameOf)}
                isFirst={place === 0}
                isLast={place === entries.length - 1}
                onMove={(step, name) => {
                  pressed.current = name
                  move(place, place + step)
                }}
                onRemove={
                  props.canRemove && entry !== OTHERS
                    ? () => onChange(entries.filter((one) => one !== entry))
                    : undefined
                }
              />
            )}
          </li>
        ))}
      </ol>
      <p className="visually-hidden" role="status">
        {said}
      </p>
    </>
  )
}

interface MoveButtonsProps {
  title: string
  isFirst: boolean
  isLast: boolean
  /** @param name Label of the button. */
  onMove: (step: -1 | 1, name: string) => void
  onRemove: (() => void) | undefined
}

function MoveButtons({ title, isFirst, isLast, onMove, onRemove }: MoveButtonsProps): ReactNode {
  const [up, down] = [`Move ${title} up`, `Move ${title} down`]
  return (
    <span className="order-buttons">
      <ActionIcon
        variant="subtle"
        size={36}
        aria-label={up}
        aria-disabled={isFirst}
        onClick={() => onMove(-1, up)}
      >
        <IconArrowUp size={18} aria-hidden />
      </ActionIcon>
      <ActionIcon
        variant="subtle"
        size={36}
        aria-label={down}
        aria-disabled={isLast}
        onClick={() => onMove(1, down)}
      >
        <IconArrowDown size={18} aria-hidden />
      </ActionIcon>
      {onRemove !== undefined && (
        <ActionIcon variant="subtle" size={36} aria-label={`Remove ${title}`} onClick={onRemove}>
          <IconX size={18} aria-hidden />
        </ActionIcon>
      )}
    </span>
  )
}
