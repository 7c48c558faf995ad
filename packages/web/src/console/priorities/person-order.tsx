import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { unwrapResponse } from '../api/client.ts'
import { useEnvironment } from '../api/environment.ts'
import { Section } from '../components/page.tsx'
import { dateIn } from '../people/person/local-time.ts'
import { chartListQuery, connectionsQuery, usePerson } from '../people/person/person-queries.ts'
import { resourceTitle } from '../people/person/resource-title.ts'
import { OrderEditor } from './order-editor.tsx'
import {
  type Entry,
  OTHERS,
  orderOfPerson,
  rulesOfPerson,
  type UserRule,
} from './priority-order.ts'
import { type PreviewInput, personPrioritiesQuery, previewQuery } from './priority-queries.ts'
import { ALL_SERIES, isMerged, listSubjects, previewOf } from './subjects.ts'

/** The order of the sources of a person, which precedes that of the team. */
export function PersonOrder({ userId }: { userId: string }): ReactNode {
  const { data: charts } = useSuspenseQuery(chartListQuery(useEnvironment(), userId))
  const merged = charts.data.filter(({ resource }) => isMerged(resource))
  const series = merged.map(({ resource }) => resource)
  const [subject, setSubject] = useState(series.includes('steps') ? 'steps' : ALL_SERIES)
  const zone = usePerson(userId).fallback_time_zone?.id ?? 'UTC'
  const ofSubject = merged.find(({ resource }) => resource === subject)
  const days = (ofSubject === undefined ? merged : [ofSubject]).map(({ newest_data: at }) => at)
  const newest = days.sort().at(-1)
  return (
    <Section
      id="order"
      title="Order of sources"
      description="The first source counts where several measure the same. The effect on a day is computed before anything is saved."
      actions={
        <NativeSelect
          aria-label="What the order is about"
          value={subject}
          data={listSubjects(series)}
          onChange={({ currentTarget }) => setSubject(currentTarget.value)}
        />
      }
    >
      <SubjectOrder
        key={subject}
        {...{ userId, subject, series }}
        newestDay={newest === undefined ? '' : dateIn(zone, newest)}
      />
    </Section>
  )
}

interface SubjectOrderProps {
  userId: string
  subject: string
  series: readonly string[]
  newestDay: string
}

function SubjectOrder({ userId, subject, series, newestDay }: SubjectOrderProps): ReactNode {
  const environment = useEnvironment()
  const { data: rules } = useSuspenseQuery(personPrioritiesQuery(environment, userId))
  const [date, setDate] = useState(newestDay)
  const [shown, setShown] = useState(series.includes('steps') ? 'steps' : (series[0] ?? ''))
  const [draft, setDraft] = useState<Entry[] | 'none'>()
  const resource = date === '' ? undefined : previewOf(subject, shown)
  const day = resource === undefined ? undefined : ({ resource, date } as PreviewInput)
  const { data: stored } = useQuery(previewQuery(environment, userId, day))
  // Without a preview the order begins with the connections of the person.
  const { data: connections } = useQuery({
    ...connectionsQuery(environment, userId),
    enabled: day === undefined,
  })
  const ranked =
    day === undefined
      ? (connections ?? []).map(({ slug }) => ({ provider: slug, type: null, app: null }))
      : (stored?.sources_before ?? []).map(({ provider, type, app_id: app }) => ({
          ...{ provider, type, app },
        }))
  const saved = orderOfPerson(rules, subject, ranked)
  const entries = draft === 'none' ? [OTHERS as Entry] : (draft ?? saved)
  const proposed = rulesOfPerson(rules, subject, draft === 'none' ? undefined : entries)
  const isDraft = draft !== undefined
  const { saving, undo } = useSave(userId, rules, () => setDraft(undefined))
  const hasRules = rules.some((rule) => rule.resource === subject)
  return (
    <OrderEditor
      label={`Sources of ${resourceTitle(subject)}`}
      saved={saved}
      entries={entries}
      onChange={setDraft}
      {...(draft === 'none' && { isChanged: hasRules })}
      canRemove={false}
      isReadOnly={false}
      actions={
        hasRules && (
          <div>
            <Button variant="subtle" size="compact-sm" onClick={() => setDraft('none')}>
              Use the order of the team
            </Button>
          </div>
        )
      }
      day={
        <div className="order-fields">
          <TextInput
            type="date"
            label="Day"
            value={date}
            onChange={({ currentTarget }) => setDate(currentTarget.value)}
          />
          {subject === ALL_SERIES && (
            <NativeSelect
              label="Shown series"
              value={shown}
              data={series.map((name) => ({ value: name, label: resourceTitle(name) }))}
              onChange={({ currentTarget }) => setShown(currentTarget.value)}
            />
          )}
        </div>
      }
      effect={{
        userId,
        body: day && { ...day, ...(isDraft && { source_priorities: proposed as never }) },
      }}
      saving={{ ...saving, save: () => saving.save(proposed) }}
      undo={undo}
    />
  )
}

/** Replaces the rules of a person, and can put those back that were replaced last. */
function useSave(userId: string, rules: readonly UserRule[], onSaved: () => void) {
  const environment = useEnvironment()
  const queries = useQueryClient()
  const [before, setBefore] = useState<readonly UserRule[]>()
  const put = useMutation({
    mutationFn: (sent: readonly UserRule[]) => {
      const params = { path: { user_id: userId } }
      const body = { source_priorities: [...sent] as never }
      return unwrapResponse(
        environment.team.PUT('/v2/user/{user_id}/source_priorities', { params, body }),
      )
    },
    onSuccess: async ({ source_priorities: stored }) => {
      queries.setQueryData(personPrioritiesQuery(environment, userId).queryKey, stored)
      onSaved()
      await queries.invalidateQueries({ queryKey: [...environment.key, 'person', userId] })
    },
  })
  const store = (sent: readonly UserRule[], undoing: readonly UserRule[] | undefined): void =>
    put.mutate(sent, { onSuccess: () => setBefore(undoing) })
  return {
    saving: {
      save: (sent: readonly UserRule[]) => store(sent, rules),
      isPending: put.isPending,
      error: put.error,
    },
    undo: before && (() => store(before, undefined)),
  }
}
