import { TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useMemo, useState } from 'react'
import { useEnvironment } from '../../api/environment.ts'
import { EmptyState } from '../../components/empty-state.tsx'
import { Failure } from '../../components/failure.tsx'
import { IconSearch } from '../../components/icons.tsx'
import { Page } from '../../components/page.tsx'
import { Waiting } from '../../components/waiting.tsx'
import { useViewState } from '../../shell/view-state.ts'
import { type EventType, eventTypesQuery } from '../webhook-queries.ts'
import { EventTypeDetail } from './event-type-detail.tsx'
import { type EventTypeGroup, groupEventTypes } from './event-type-groups.ts'
import '../webhooks.css'

/** Lists all event types with meaning, example and schema. */
export function EventTypesPage(): ReactNode {
  const types = useQuery(eventTypesQuery(useEnvironment()))
  return (
    <Page
      title="Event types"
      description="All events, and the messages about them. Ignore types that you do not know: new ones will be added."
    >
      {types.isPending && <Waiting label="Loading the event types" lines={10} />}
      {types.error !== null && <Failure error={types.error} onRetry={() => types.refetch()} />}
      {types.data !== undefined && <TypeBrowser types={types.data} />}
    </Page>
  )
}

function TypeBrowser({ types }: { types: readonly EventType[] }): ReactNode {
  const [words, setWords] = useState('')
  const [{ type: chosenName }] = useViewState({ type: '' })
  const groups = useMemo(() => groupEventTypes(types, words), [types, words])
  const chosen = types.find(({ name }) => name === chosenName)
  return (
    <div className="webhooks-browser" data-chosen={chosen !== undefined || undefined}>
      <div className="webhooks-browser-list">
        <TextInput
          type="search"
          aria-label="Search event types"
          placeholder="Search, such as glucose or order"
          leftSection={<IconSearch size={18} aria-hidden />}
          autoComplete="off"
          value={words}
          onChange={({ currentTarget }) => setWords(currentTarget.value)}
        />
        <nav aria-label="Event types">
          {groups.map((group) => (
            <TypeGroup
              key={group.pattern}
              group={group}
              chosenName={chosenName}
              isOpen={words !== '' || group.types.length < 12}
            />
          ))}
        </nav>
        {groups.length === 0 && <p className="quiet">No event types match.</p>}
      </div>
      <div className="webhooks-browser-detail">
        {chosen === undefined ? (
          <EmptyState title="No event type is selected.">
            Choose one to see its meaning, an example of its message and the schema of its data.
          </EmptyState>
        ) : (
          <EventTypeDetail key={chosen.name} type={chosen} />
        )}
      </div>
    </div>
  )
}

interface TypeGroupProps {
  group: EventTypeGroup
  chosenName: string
  isOpen: boolean
}

function TypeGroup({ group: { title, types }, chosenName, isOpen }: TypeGroupProps): ReactNode {
  const hasChosen = types.some(({ name }) => name === chosenName)
  return (
    <details key={String(isOpen)} className="webhooks-type-group" open={isOpen || hasChosen}>
      <summary>
        <span>{title}</span>
        <span className="quiet">{types.length}</span>
      </summary>
      {types.map(({ name }) => (
        <Link
          key={name}
          to="."
          search={{ type: name } as never}
          resetScroll={false}
          className="webhooks-type-link"
          aria-current={name === chosenName ? 'true' : undefined}
        >
          {name}
        </Link>
      ))}
    </details>
  )
}
