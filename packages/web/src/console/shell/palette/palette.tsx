import {
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import type { Environment } from '../../api/environment.ts'
import { Failure } from '../../components/failure.tsx'
import { type Entry, useEntries } from './entries.ts'
import './palette.css'

interface PaletteProps {
  environment: Environment
  onClose: () => void
}

/** Finds people, orders, events, pages and actions by words, by keyboard alone. */
export function Palette({ environment, onClose }: PaletteProps): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    // Gives the focus back, too.
    return () => element?.close()
  }, [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: by keyboard Escape closes it
    <dialog
      ref={dialog}
      className="palette"
      aria-label="Search"
      onClose={onClose}
      onClick={(event) => {
        if (event.target === dialog.current) onClose()
      }}
    >
      <Search environment={environment} onClose={onClose} />
    </dialog>
  )
}

function Search({ environment, onClose }: PaletteProps): ReactNode {
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState(0)
  const listId = useId()
  const { groups, isSearching, error } = useEntries(environment, typed)
  const entries = groups.flatMap((group) => group.entries)
  const active = Math.min(chosen, entries.length - 1)
  const optionId = (index: number): string => `${listId}-${index}`
  const act = (entry: Entry | undefined): void => {
    if (entry === undefined) return
    onClose()
    entry.act()
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const count = entries.length
    const next: Record<string, number> = {
      ArrowDown: (active + 1) % count,
      ArrowUp: (active - 1 + count) % count,
      Home: 0,
      End: count - 1,
    }
    if (event.key === 'Enter') act(entries[active])
    else if (count > 0 && event.key in next) setChosen(next[event.key] ?? 0)
    else return
    event.preventDefault()
  }
  useEffect(() => {
    document.getElementById(`${listId}-${active}`)?.scrollIntoView({ block: 'nearest' })
  }, [listId, active])
  let index = -1
  return (
    <div className="palette-inside">
      <input
        className="palette-input"
        type="text"
        role="combobox"
        // biome-ignore lint/a11y/noAutofocus: the dialog was opened to type here
        autoFocus
        autoComplete="off"
        spellCheck={false}
        data-1p-ignore
        aria-label="Search people, orders, events, pages and actions"
        aria-expanded={entries.length > 0}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={entries.length > 0 ? optionId(active) : undefined}
        placeholder="Name, e-mail, id, page or action"
        value={typed}
        onKeyDown={onKeyDown}
        onChange={({ currentTarget }) => {
          setTyped(currentTarget.value)
          setChosen(0)
        }}
      />
      {error !== null && <Failure error={error} />}
      <p className="visually-hidden" role="status">
        {isSearching ? 'Searching' : `${entries.length} found`}
      </p>
      <div className="palette-list" role="listbox" id={listId} aria-label="Found">
        {groups.map(({ title, entries: ofGroup }) => (
          // biome-ignore lint/a11y/useSemanticElements: a group of options is no fieldset
          <div key={title} role="group" aria-label={title}>
            <p className="palette-group" aria-hidden>
              {title}
            </p>
            {ofGroup.map((entry) => {
              index += 1
              const own = index
              return (
                // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field
                // biome-ignore lint/a11y/useKeyWithClickEvents: the field takes the keys
                <div
                  key={entry.key}
                  id={optionId(own)}
                  role="option"
                  aria-selected={own === active}
                  className="palette-option"
                  onClick={() => act(entry)}
                  onPointerMove={() => setChosen(own)}
                >
                  <span>{entry.title}</span>
                  {entry.detail !== undefined && <span className="quiet">{entry.detail}</span>}
                </div>
              )
            })}
          </div>
        ))}
      </div>
      {entries.length === 0 && !isSearching && (
        <p className="palette-nothing quiet">
          Nothing matches. People are found by name, e-mail, client id or id; orders by their
          patient or id; events by their id.
        </p>
      )}
      <p className="palette-keys quiet" aria-hidden>
        <kbd>↑</kbd> <kbd>↓</kbd> to choose, <kbd>Enter</kbd> to open, <kbd>Esc</kbd> to close
      </p>
    </div>
  )
}
