import { type ReactNode, useState } from 'react'
import { Dialog } from '../components/dialog.tsx'
import './palette/palette.css'
import { areSingleKeysOn, PAGE_KEYS, switchSingleKeys } from './shortcuts.ts'

/** Lists the keyboard shortcuts. */
export function ShortcutsDialog(props: { isOpen: boolean; onClose: () => void }): ReactNode {
  return (
    <Dialog title="Keyboard shortcuts" {...props}>
      <Shortcuts />
    </Dialog>
  )
}

function Shortcuts(): ReactNode {
  const [isOn, setOn] = useState(areSingleKeysOn)
  return (
    <>
      <dl className="shortcuts">
        <dt>
          <kbd>Ctrl</kbd> <kbd>K</kbd> or <kbd>/</kbd>
        </dt>
        <dd>Search people, orders, events, pages and actions</dd>
        {PAGE_KEYS.map(({ key, title }) => (
          <Pair key={key} letter={key.toUpperCase()} title={title} />
        ))}
        <dt>
          <kbd>?</kbd>
        </dt>
        <dd>This list</dd>
      </dl>
      <label>
        <input
          type="checkbox"
          checked={isOn}
          onChange={({ currentTarget }) => {
            switchSingleKeys(currentTarget.checked)
            setOn(currentTarget.checked)
          }}
        />{' '}
        Shortcuts of single keys
      </label>
    </>
  )
}

function Pair({ letter, title }: { letter: string; title: string }): ReactNode {
  return (
    <>
      <dt>
        <kbd>G</kbd> then <kbd>{letter}</kbd>
      </dt>
      <dd>{title}</dd>
    </>
  )
}
