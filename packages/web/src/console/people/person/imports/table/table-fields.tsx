import type { ReactNode } from 'react'
import type { Person } from '../../person-queries.ts'
import { choiceTitle } from '../import-words.ts'
import { ImportZoneField } from '../import-zone-field.tsx'
import { type Draft, formatOf, type Preview } from './table-template.ts'
import { Choice, ValueFields } from './value-fields.tsx'

const FORMATS = ['year_first', 'day_first', 'month_first', 'epoch_seconds', 'epoch_milliseconds']
const EPOCHS: Readonly<Record<string, string>> = {
  epoch_seconds: 'Seconds since 1970',
  epoch_milliseconds: 'Milliseconds since 1970',
}
const formatTitle = (format: string): string => EPOCHS[format] ?? choiceTitle(format)
const decimalTitle = (decimal: string): string => (decimal === ',' ? 'Comma' : 'Point')

interface TableFieldsProps {
  person: Person
  preview: Preview
  draft: Draft
  onChange: (draft: Draft) => void
}

/** The fields of a new template: where times and values are, and how they are written. */
export function TableFields({ person, preview, draft, onChange }: TableFieldsProps): ReactNode {
  const { columns } = preview
  const names = columns.map(({ name }) => name)
  const set = (fields: Partial<Draft>): void => onChange({ ...draft, ...fields })
  const chooseDate = (dateColumn: string): void => {
    const column = columns.find(({ name }) => name === dateColumn)
    set({ dateColumn, dateFormat: column === undefined ? '' : formatOf(column) })
  }
  return (
    <>
      <div className="imports-fields">
        <Choice
          label="Column of the date"
          value={draft.dateColumn}
          items={names}
          onChange={chooseDate}
        />
        <Choice
          label="Column of the time"
          none="In the same column, or none"
          value={draft.timeColumn}
          items={names}
          onChange={(timeColumn) => set({ timeColumn })}
        />
        <Choice
          label="Dates"
          value={draft.dateFormat}
          items={FORMATS}
          titleOf={formatTitle}
          onChange={(dateFormat) => set({ dateFormat })}
        />
        <Choice
          label="Decimal separator"
          value={draft.decimal}
          items={['.', ',']}
          titleOf={decimalTitle}
          onChange={(decimal) => set({ decimal: decimal || '.' })}
        />
        <ImportZoneField person={person} value={draft.zone} onChange={(zone) => set({ zone })} />
      </div>
      <ValueFields columns={columns} values={draft.values} onChange={(values) => set({ values })} />
    </>
  )
}
