import { NativeSelect, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { type ReactNode, Suspense, useEffect, useState } from 'react'
import { unwrapResponse } from '../api/client.ts'
import { useEnvironment } from '../api/environment.ts'
import { usePermission } from '../api/session.ts'
import { Page, Section } from '../components/page.tsx'
import { PersonPicker } from '../components/person-picker.tsx'
import { SearchPicker } from '../components/search-picker.tsx'
import { Waiting } from '../components/waiting.tsx'
import { MAPPABLE_SERIES } from '../people/person/imports/table/mappable-series.generated.ts'
import { chartListQuery, providersQuery } from '../people/person/person-queries.ts'
import { resourceTitle } from '../people/person/resource-title.ts'
import { useViewState } from '../shell/view-state.ts'
import { OrderEditor } from './order-editor.tsx'
import {
  changesOfTeam,
  type Entry,
  keyOf,
  orderOfTeam,
  type TeamRule,
  type TeamSubject,
  undoTeamChanges,
} from './priority-order.ts'
import { type PreviewInput, teamPrioritiesQuery } from './priority-queries.ts'
import { ALL_SERIES, isMerged, isSeries, listSubjects, previewOf } from './subjects.ts'

/** Which sources count first for every person of the team. */
export function PrioritiesPage(): ReactNode {
  return (
    <Page
      title="Source priorities"
      description="When several sources measure the same, the first one counts. This is the order of the team; a person can have one of their own, on their page under Data and sources."
    >
      <Suspense fallback={<Waiting label="Loading the priorities" lines={6} />}>
        <TeamOrders />
      </Suspense>
    </Page>
  )
}

const toSubject = (subject: string): TeamSubject =>
  isSeries(subject)
    ? { data_type: ALL_SERIES, resource: subject }
    : { data_type: subject, resource: null }

function TeamOrders(): ReactNode {
  const [view, change] = useViewState({ of: ALL_SERIES as string })
  return (
    <Section
      title="Order of the team"
      actions={
        <NativeSelect
          aria-label="Kind of data"
          value={view.of}
          data={listSubjects(MERGED_SERIES)}
          onChange={({ currentTarget }) => change({ of: currentTarget.value })}
        />
      }
    >
      <TeamOrder key={view.of} subject={view.of} />
    </Section>
  )
}

interface TeamOrderProps {
  subject: string
}

const MERGED_SERIES = MAPPABLE_SERIES.map(({ name }) => name).filter(isMerged)

function TeamOrder({ subject }: TeamOrderProps): ReactNode {
  const environment = useEnvironment()
  const { data: rules } = useSuspenseQuery(teamPrioritiesQuery(environment))
  const mayWrite = usePermission('connections:write')
  const mayPreview = usePermission('health:read')
  const about = toSubject(subject)
  const saved = orderOfTeam(rules, about)
  const [draft, setDraft] = useState<Entry[]>()
  const [undo, setUndo] = useState<TeamRule[]>()
  const [day, setDay] = useState<PreviewDay>(NO_DAY)
  const entries = draft ?? saved
  const changes = changesOfTeam(rules, about, entries)
  const save = useSave()
  const store = (sent: TeamRule[], undoing: TeamRule[] | undefined): void =>
    save.mutate(sent, {
      onSuccess: () => {
        setDraft(undefined)
        setUndo(undoing)
      },
    })
  const resource = previewOf(subject, day.series || 'steps')
  const body =
    resource === undefined || day.date === ''
      ? undefined
      : ({ resource, date: day.date, team_source_priorities: changes } as PreviewInput)
  return (
    <OrderEditor
      label="Order of the team"
      saved={saved}
      entries={entries}
      onChange={setDraft}
      canRemove
      isReadOnly={!mayWrite}
      actions={
        mayWrite && (
          <AddProvider entries={entries} onAdd={(entry) => setDraft([entry, ...entries])} />
        )
      }
      day={mayPreview && <DayFields {...{ subject, day }} onChange={setDay} />}
      effect={{ userId: mayPreview ? day.userId : '', body }}
      saving={{
        save: () => store(changes, undoTeamChanges(rules, changes)),
        isPending: save.isPending,
        error: save.error,
      }}
      undo={undo && (() => store(undo, undefined))}
    />
  )
}

function useSave() {
  const environment = useEnvironment()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: TeamRule[]) =>
      unwrapResponse(environment.team.PATCH('/v2/team/source/priorities', { body: body as never })),
    onSuccess: (rules) => {
      queries.setQueryData(teamPrioritiesQuery(environment).queryKey, rules)
      // What is merged of anyone may be another value now.
      return queries.invalidateQueries({ queryKey: [...environment.key, 'person'] })
    },
  })
}

/** The day on which the effect is shown. */
interface PreviewDay {
  userId: string
  date: string
  /** Shown where the order is about all series. */
  series: string
}
const NO_DAY: PreviewDay = { userId: '', date: '', series: '' }

interface DayFieldsProps extends TeamOrderProps {
  day: PreviewDay
  onChange: (day: PreviewDay) => void
}

/** Chooses a person and a day; it begins with the newest day that has data. */
function DayFields({ subject, day, onChange }: DayFieldsProps): ReactNode {
  const environment = useEnvironment()
  const { data: charts } = useQuery({
    ...chartListQuery(environment, day.userId),
    enabled: day.userId !== '',
  })
  const shown = previewOf(subject, day.series || 'steps')
  const all = charts?.data ?? []
  const ofShown = all.filter(({ resource }) => resource === shown)
  const newest = (ofShown.length > 0 ? ofShown : all)
    .map((chart) => chart.newest_data)
    .sort()
    .at(-1)
  const date = day.date || (newest ?? '').slice(0, 10)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another person has another newest day
  useEffect(() => {
    if (date !== day.date) onChange({ ...day, date })
  }, [date, day.date])
  return (
    <div className="order-fields">
      <PersonPicker
        label="Person"
        value={day.userId}
        onChange={(userId) => onChange({ ...day, userId, date: '' })}
      />
      <TextInput
        type="date"
        label="Day"
        value={day.date}
        onChange={({ currentTarget }) => onChange({ ...day, date: currentTarget.value })}
      />
      {subject === ALL_SERIES && (
        <NativeSelect
          label="Shown series"
          value={day.series || 'steps'}
          data={MERGED_SERIES.map((name) => ({ value: name, label: resourceTitle(name) }))}
          onChange={({ currentTarget }) => onChange({ ...day, series: currentTarget.value })}
        />
      )}
    </div>
  )
}

interface AddProviderProps {
  entries: readonly Entry[]
  onAdd: (entry: Entry) => void
}

function AddProvider({ entries, onAdd }: AddProviderProps): ReactNode {
  const { data: providers } = useSuspenseQuery(providersQuery(useEnvironment()))
  const taken = new Set(entries.map(keyOf))
  const free = [...providers.values()].filter(
    ({ slug }) => !taken.has(keyOf({ provider: slug, type: null, app: null })),
  )
  return (
    <SearchPicker<string>
      name="priority-providers"
      label="Add a provider"
      placeholder="Name of the provider"
      dependsOn={[...taken]}
      fewest={0}
      search={async (words) =>
        free
          .filter(({ name }) => name.toLowerCase().includes(words.toLowerCase()))
          .slice(0, 20)
          .map(({ slug, name }) => ({ key: slug, title: name, item: slug }))
      }
      onPick={(provider) => onAdd({ provider, type: null, app: null })}
    />
  )
}
