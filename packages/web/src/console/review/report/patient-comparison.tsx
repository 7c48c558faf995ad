import type { ReactNode } from 'react'
import { Section } from '../../components/page.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import type { PatientMatch, Report, ReportReview } from './report-query.ts'
import { FIT, KNOWN_FROM, SEX } from './report-words.ts'

type Comparison = NonNullable<ReportReview['patient_comparison']>

/** Describes doubts about the patient of a report; undefined without any. */
export function describePatientDoubt({
  status,
  has_other_patients: hasOthers,
}: PatientMatch): string | undefined {
  if (status === 'mismatch')
    return 'The patient of the report differs from the person of the upload.'
  if (status === 'uncertain')
    return 'The patient of the report may differ from the person of the upload.'
  return hasOthers ? 'The report names several patients.' : undefined
}

/** Compares the patient of a report with the person, while a review is open. */
export function PatientComparison({ comparison }: { comparison: Comparison }): ReactNode {
  const { match, printed, known } = comparison
  const doubt = describePatientDoubt(match)
  return (
    <Section
      title="Patient of the report"
      description={doubt ?? 'Compared with the stored data of the person.'}
    >
      {match.has_other_patients && match.status !== 'match' && (
        <p>The report names several patients.</p>
      )}
      {known.length === 0 ? (
        <p className="quiet">There are no data of the person to compare.</p>
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
 * Describes the outcome of the comparison with the person in a sentence; empty without a
 * comparison.
 */
export function PatientOutcome({ report: { job } }: { report: Report }): ReactNode {
  const { patient_match: match } = job
  if (match === null || job.status === 'pending_review') return null
  if (match.is_confirmed)
    return <p className="quiet">A reviewer confirmed that the report belongs to this person.</p>
  if (match.status === 'not_comparable') {
    return (
      <p className="quiet">
        The report could not be compared with the person: it names no patient, or there are no data
        of the person.
      </p>
    )
  }
  return (
    <p className="quiet">
      {describePatientDoubt(match) ?? 'The patient of the report is the person.'}
    </p>
  )
}
