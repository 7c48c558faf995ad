import type { ReactNode } from 'react'
import { type Translate, useTexts } from './language.ts'
import type { AccessEntry } from './me-client.ts'
import { useFormats, useMe } from './me-context.ts'
import { Loading, Problem, SectionTitle } from './parts.tsx'
import { useLoad } from './use-load.ts'

const SUBJECTS = [
  'demographics',
  'connections',
  'health',
  'orders',
  'results',
  'tasks',
  'rights',
  'audit',
] as const
type Subject = (typeof SUBJECTS)[number]

const isSubject = (name: string): name is Subject => SUBJECTS.some((subject) => subject === name)

/** Who read or changed the data, by day. */
export function AccessSection(): ReactNode {
  const { t } = useTexts()
  const { client } = useMe()
  const formats = useFormats()
  const { data, error, reload } = useLoad(client.getAccessLog)
  const days = Map.groupBy(data?.data ?? [], ({ date }) => date)
  return (
    <>
      <SectionTitle>{t('access_title')}</SectionTitle>
      <p className="me-quiet">{t('access_what')}</p>
      <Problem error={error} onRetry={reload} />
      {data === undefined && error === undefined && <Loading />}
      {data?.data.length === 0 && <p>{t('access_none')}</p>}
      {[...days].map(([day, entries]) => (
        <section key={day} className="me-card" aria-labelledby={`day-${day}`}>
          <h2 id={`day-${day}`}>{formats.day(day)}</h2>
          <ul className="me-entries">
            {entries.map((entry, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two entries may be the same
              <EntryPart key={index} entry={entry} />
            ))}
          </ul>
        </section>
      ))}
      {data?.is_complete === false && <p className="me-quiet">{t('access_more')}</p>}
    </>
  )
}

function EntryPart({ entry }: { entry: AccessEntry }): ReactNode {
  const { t } = useTexts()
  const { access } = useMe()
  const about = aboutOf(entry, t, access.team.name)
  return (
    <li>
      <strong>{whoOf(entry, t, access.team.name)}</strong>
      <span>
        {entry.action === 'read' ? t('access_read', { about }) : t('access_changed', { about })}
        {entry.count > 1 && (
          <span className="me-quiet"> · {t('access_times', { count: String(entry.count) })}</span>
        )}
      </span>
    </li>
  )
}

function whoOf({ actor, label }: AccessEntry, t: Translate, team: string): string {
  if (actor === 'team') return t('access_team', { team })
  if (actor === 'share') return t('access_share', { label: label ?? '' })
  return t(`access_${actor}`)
}

function aboutOf({ about }: AccessEntry, t: Translate, team: string): string {
  if (about === 'people') return t('about_people', { team })
  return isSubject(about) ? t(`about_${about}`) : t('about_other')
}
