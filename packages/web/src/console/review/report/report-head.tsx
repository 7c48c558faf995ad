import { NativeSelect, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { Section } from '../../components/page.tsx'
import type { ReportHead } from './report-query.ts'
import { HEAD_FIELDS } from './report-words.ts'

interface ReportHeadProps {
  read: ReportHead
  changes: Partial<ReportHead>
  onPoint: (owner: string | null) => void
  onSelect: (owner: string | null) => void
  /** Undefined where the header cannot be changed. */
  onChange?: ((changes: Partial<ReportHead>) => void) | undefined
}

/** Shows the header of the report: patient, laboratory and dates. */
export function ReportHeadSection({ read, changes, ...rest }: ReportHeadProps): ReactNode {
  const now = { ...read, ...changes }
  return (
    <Section title="Header">
      {rest.onChange === undefined ? (
        <HeadFacts read={read} now={now} onPoint={rest.onPoint} />
      ) : (
        <HeadFields now={now} {...rest} onChange={rest.onChange} />
      )}
    </Section>
  )
}

interface HeadFactsProps {
  read: ReportHead
  now: ReportHead
  onPoint: ReportHeadProps['onPoint']
}

function HeadFacts({ read, now, onPoint }: HeadFactsProps): ReactNode {
  return (
    <dl className="report-head">
      {HEAD_FIELDS.map(([field, label]) => (
        <div
          key={field}
          onPointerEnter={() => onPoint(`metadata.${field}`)}
          onPointerLeave={() => onPoint(null)}
        >
          <dt>{label}</dt>
          <dd>
            {read[field] !== now[field] && <del>{read[field] ?? 'nothing'}</del>}{' '}
            {now[field] ?? <span className="quiet">not printed</span>}
          </dd>
        </div>
      ))}
    </dl>
  )
}

type HeadFieldsProps = Omit<ReportHeadProps, 'read' | 'changes' | 'onChange'> & {
  now: ReportHead
  onChange: (changes: Partial<ReportHead>) => void
}

function HeadFields({ now, onPoint, onSelect, onChange }: HeadFieldsProps): ReactNode {
  return (
    <div className="report-fields">
      {HEAD_FIELDS.map(([field, label]) => {
        const owner = `metadata.${field}`
        const common = {
          label,
          onFocus: () => onSelect(owner),
          onPointerEnter: () => onPoint(owner),
          onPointerLeave: () => onPoint(null),
        }
        if (field === 'gender') {
          return (
            <NativeSelect
              key={field}
              {...common}
              value={now.gender}
              data={[
                { value: 'female', label: 'Female' },
                { value: 'male', label: 'Male' },
                { value: 'other', label: 'Other or not printed' },
              ]}
              onChange={({ currentTarget }) =>
                onChange({ gender: currentTarget.value as ReportHead['gender'] })
              }
            />
          )
        }
        return (
          <TextInput
            key={field}
            {...common}
            value={now[field] ?? ''}
            onChange={({ currentTarget }) => onChange({ [field]: currentTarget.value || null })}
          />
        )
      })}
    </div>
  )
}
