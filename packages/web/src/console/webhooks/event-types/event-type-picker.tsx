import { TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId, useMemo, useState } from 'react'
import { useEnvironment } from '../../api/environment.ts'
import { eventTypesQuery } from '../webhook-queries.ts'
import { type EventTypeGroup, groupEventTypes } from './event-type-groups.ts'

interface EventTypePickerProps {
  /** Types, exact or with a trailing star; an empty list means all. */
  chosen: readonly string[]
  onChange: (chosen: readonly string[]) => void
}

/** Lets the user choose the events of an endpoint: all, or groups and single types. */
export function EventTypePicker({ chosen, onChange }: EventTypePickerProps): ReactNode {
  const [isNarrow, setNarrow] = useState(chosen.length > 0)
  const name = useId()
  const choose = (next: boolean): void => {
    setNarrow(next)
    if (!next) onChange([])
  }
  return (
    <fieldset className="webhooks-picker">
      <legend>Event types</legend>
      <label className="webhooks-choice">
        <input type="radio" name={name} checked={!isNarrow} onChange={() => choose(false)} />
        All events, including future types
      </label>
      <label className="webhooks-choice">
        <input type="radio" name={name} checked={isNarrow} onChange={() => choose(true)} />
        Selected events
      </label>
      {isNarrow && <TypeList chosen={chosen} onChange={onChange} />}
    </fieldset>
  )
}

function TypeList({ chosen, onChange }: EventTypePickerProps): ReactNode {
  const { data: types } = useQuery(eventTypesQuery(useEnvironment()))
  const [words, setWords] = useState('')
  const groups = useMemo(() => groupEventTypes(types ?? [], words), [types, words])
  return (
    <>
      <TextInput
        type="search"
        aria-label="Search event types"
        placeholder="Search, such as glucose or order"
        autoComplete="off"
        value={words}
        onChange={({ currentTarget }) => setWords(currentTarget.value)}
      />
      <div className="webhooks-types">
        {groups.map((group) => (
          <TypeGroup key={group.pattern} {...{ group, chosen, onChange }} />
        ))}
        {types !== undefined && groups.length === 0 && (
          <p className="quiet">No event types match.</p>
        )}
      </div>
      <p className="quiet" role="status">
        {chosen.length === 0
          ? 'None are selected: the endpoint receives all events.'
          : `${chosen.length} selected.`}
      </p>
    </>
  )
}

interface TypeGroupProps extends EventTypePickerProps {
  group: EventTypeGroup
}

function TypeGroup({ group, chosen, onChange }: TypeGroupProps): ReactNode {
  const { title, pattern, types } = group
  const isWhole = chosen.includes(pattern)
  const toggle = (name: string): void =>
    onChange(chosen.includes(name) ? chosen.filter((one) => one !== name) : [...chosen, name])
  const toggleWhole = (): void => {
    const others = chosen.filter((name) => !name.startsWith(pattern.slice(0, -1)))
    onChange(isWhole ? others : [...others, pattern])
  }
  const some = types.filter(({ name }) => chosen.includes(name)).length
  return (
    <details className="webhooks-type-group">
      <summary>
        <span>{title}</span>
        <span className="quiet">
          {isWhole ? 'all' : some > 0 ? `${some} selected` : types.length}
        </span>
      </summary>
      <label className="webhooks-choice">
        <input type="checkbox" checked={isWhole} onChange={toggleWhole} />
        All of these, <code>{pattern}</code>
      </label>
      {types.map(({ name }) => (
        <label key={name} className="webhooks-choice">
          <input
            type="checkbox"
            checked={isWhole || chosen.includes(name)}
            disabled={isWhole}
            onChange={() => toggle(name)}
          />
          <code>{name}</code>
        </label>
      ))}
    </details>
  )
}
