import type { ReactNode } from 'react'
import { Section } from '../../components/page.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import type { PatientMatch, Report, ReportReview } from './report-query.ts'
import { FIT, KNOWN_FROM, SEX } from './report-words.ts'

type Comparison = NonNullable<ReportReview['patient_comparison']>

/** What is in doubt about whose report it is; undefined when nothing is. */
export function describeDoubt({
  status,
  has_other_patients: hasOthers,
}: PatientMatch): string | undefined {
  if (status === 'mismatch')
    return 'The patient of the report differs from the person that it was uploaded for.'
  if (status === 'uncertain')
    return 'The patient of the report may be another person than the one that it was uploaded for.'
  return hasOthers ? 'The report names several patients.' : undefined
}

/** The patient of a report beside the person, while a reviewer is to decide whose it is. */
export function PatientComparison({ comparison }: { comparison: Comparison }): ReactNode {
  const { match, printed, known } = comparison
  const doubt = describeDoubt(match)
  return (
    <Section
      title="Whose report it is"
      description={doubt ?? 'Compared with what is known of the person.'}
    >
      {match.has_other_patients && match.status !== 'match' && (
        <p>The report names several patients.</p>
      )}
      {known.length === 0 ? (
        <p className="quiet">Nothing is known of the person that could be compared.</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: whoever has no mouse scrolls it by keyboard
        <section className="report-patient" aria-label="The patient and the person" tabIndex={0}>
          <table>
            <thead>
              <tr>
                <td />
                <th scope="col">The report</th>
                <th scope="col">Compared</th>
                {known.map((person) => (
                  <th key={JSON.stringify(person)} scope="col">
                    {KNOWN_FROM[person.source]}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {FACTS.map(({ field, title, say }) => (
                <tr key={field}>
                  <th scope="row">{title}</th>
                  <td>{say(printed) || <span className="quiet">not printed</span>}</td>
                  <td>
                    <StatusBadge tone={FIT[match[field].outcome].tone}>
                      {FIT[match[field].outcome].label}
                    </StatusBadge>
                  </td>
                  {known.map((person) => (
                    <td key={JSON.stringify(person)}>
                      {say(person) || <span className="quiet">not known</span>}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </Section>
  )
}

type Person = Omit<Comparison['known'][number], 'source' | 'sex'> & {
  sex: Comparison['printed']['sex'] | null
}

const FACTS: readonly {
  field: 'name' | 'birth_date' | 'sex'
  title: string
  say: (person: Person) => string | null
}[] = [
  {
    field: 'name',
    title: 'Name',
    say: ({ first_name: first, last_name: last }) => [first, last].filter(Boolean).join(' '),
  },
  { field: 'birth_date', title: 'Birth date', say: ({ dob }) => dob },
  { field: 'sex', title: 'Sex', say: ({ sex }) => sex && SEX[sex] },
]

/**
 * What came of comparing a report with the person, in a sentence; nothing of one that was not
 * compared at all.
 */
export function PatientOutcome({ report: { job } }: { report: Report }): ReactNode {
  const { patient_match: match } = job
  if (match === null || job.status === 'pending_review') return null
  if (match.is_confirmed)
    return <p className="quiet">A reviewer confirmed that it is this person's.</p>
  if (match.status === 'not_comparable') {
    return (
      <p className="quiet">
        It could not be compared with the person: the report does not name its patient, or nothing
        is known of the person.
      </p>
    )
  }
  return (
    <p className="quiet">{describeDoubt(match) ?? 'The patient of the report is the person.'}</p>
  )
}
