import { Button, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useEnvironment } from '../../../api/environment.ts'
import { usePermission } from '../../../api/session.ts'
import { EmptyState } from '../../../components/empty-state.tsx'
import { Failure } from '../../../components/failure.tsx'
import { Instant } from '../../../components/instant.tsx'
import { Section } from '../../../components/page.tsx'
import { StatusBadge } from '../../../components/status-badge.tsx'
import { Waiting } from '../../../components/waiting.tsx'
import { useViewState } from '../../../shell/view-state.ts'
import { providersQuery } from '../person-queries.ts'
import { NewNote, NoteActions } from './note.tsx'
import { timelineQuery } from './timeline-query.ts'
import {
  describeItem,
  KIND_TITLES,
  type TimelineItem,
  type TimelineKind,
} from './timeline-words.ts'
import './timeline.css'

const KINDS = Object.keys(KIND_TITLES) as TimelineKind[]
const SETTLE_MS = 250

/** Everything about a person in one list, newest first, with search, and notes. */
export function Timeline({ userId }: { userId: string }): ReactNode {
  const mayWrite = usePermission('health:write')
  return (
    <>
      {mayWrite && <NewNote userId={userId} />}
      <Items userId={userId} />
    </>
  )
}

function Items({ userId }: { userId: string }): ReactNode {
  const environment = useEnvironment()
  const [{ kinds: named }, change] = useViewState({ kinds: '' })
  const kinds = KINDS.filter((kind) => named.split('.').includes(kind))
  // Search words stay out of the address.
  const [typed, setTyped] = useState('')
  const [query] = useDebouncedValue(typed.trim(), SETTLE_MS)
  const list = useInfiniteQuery({
    ...timelineQuery(environment, userId, { query, kinds }),
    placeholderData: keepPreviousData,
  })
  const items = list.data?.pages.flatMap(({ data }) => data)
  const isFiltered = query !== '' || kinds.length > 0
  return (
    <Section
      title="Timeline"
      description="Everything that is stored about the person, newest first."
      actions={
        <TextInput
          aria-label="Search the timeline"
          placeholder="Search the timeline"
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
      }
    >
      <KindChoice chosen={kinds} onChange={(next) => change({ kinds: next.join('.') })} />
      {list.error !== null && <Failure error={list.error} onRetry={list.refetch} />}
      {items === undefined && list.error === null && (
        <Waiting label="Loading the timeline" lines={8} />
      )}
      {items?.length === 0 && !list.hasNextPage && <NothingFound isFiltered={isFiltered} />}
      {items !== undefined && items.length > 0 && (
        <ol className="timeline-items" aria-busy={list.isPlaceholderData}>
          {items.map((item) => (
            <ItemRow key={item.id} item={item} userId={userId} />
          ))}
        </ol>
      )}
      {list.hasNextPage && (
        <Button
          variant="outline"
          loading={list.isFetchingNextPage}
          onClick={() => list.fetchNextPage()}
        >
          Show older
        </Button>
      )}
    </Section>
  )
}

function NothingFound({ isFiltered }: { isFiltered: boolean }): ReactNode {
  if (isFiltered)
    return <EmptyState title="Nothing matches.">Try other words, or choose other kinds.</EmptyState>
  return (
    <EmptyState title="Nothing happened yet.">
      Connections, orders, results, tasks and notes appear here.
    </EmptyState>
  )
}

interface KindChoiceProps {
  chosen: readonly TimelineKind[]
  onChange: (kinds: TimelineKind[]) => void
}

function KindChoice({ chosen, onChange }: KindChoiceProps): ReactNode {
  return (
    <fieldset className="timeline-choice">
      <legend className="only-read">Kinds</legend>
      {KINDS.map((kind) => {
        const isChosen = chosen.includes(kind)
        const others = chosen.filter((one) => one !== kind)
        return (
          <label key={kind}>
            <input
              type="checkbox"
              checked={isChosen}
              onChange={() => onChange(isChosen ? others : [...chosen, kind])}
            />
            {KIND_TITLES[kind]}
          </label>
        )
      })}
    </fieldset>
  )
}

function ItemRow({ item, userId }: { item: TimelineItem; userId: string }): ReactNode {
  // The list need not wait for names.
  const { data: providers } = useQuery(providersQuery(useEnvironment()))
  const { title, text, tone } = describeItem(item, (slug) => providers?.get(slug)?.name ?? slug)
  return (
    <li className="timeline-item">
      <span className="timeline-item-at">
        <Instant at={item.at} />
      </span>
      <span className="timeline-item-what">
        <StatusBadge tone={tone}>
          <ItemLink item={item}>{title}</ItemLink>
        </StatusBadge>
        {item.person !== null && <span className="quiet">by {item.person}</span>}
        {item.kind === 'note' && item.action === 'changed' && (
          <span className="quiet">changed</span>
        )}
        {text && <p>{text}</p>}
      </span>
      {item.kind === 'note' && <NoteActions userId={userId} noteId={item.record_id ?? ''} />}
    </li>
  )
}

/** Leads to the record of an item: a page of its own, or a tab of the person. */
function ItemLink({ item, children }: { item: TimelineItem; children: ReactNode }): ReactNode {
  const { teamId: team, env } = useEnvironment()
  const { kind, record_id: id } = item
  if (id !== null && (kind === 'order' || kind === 'appointment' || kind === 'result')) {
    return (
      <Link to="/$team/$env/orders/$order" params={{ team, env, order: id }}>
        {children}
      </Link>
    )
  }
  if (id !== null && kind === 'webhook_failure') {
    return (
      <Link to="/$team/$env/events/$event" params={{ team, env, event: id }}>
        {children}
      </Link>
    )
  }
  const tab = TAB_OF_KIND[kind]
  if (tab === undefined) return children
  return (
    <Link to="." search={tab as never}>
      {children}
    </Link>
  )
}

const TAB_OF_KIND: Partial<Record<TimelineKind, { tab: string | undefined }>> = {
  connection: { tab: undefined },
  sync: { tab: 'data' },
  historical_pull: { tab: 'data' },
  import: { tab: 'profile' },
  lab_report: { tab: 'laboratory' },
  export: { tab: 'rights' },
}
