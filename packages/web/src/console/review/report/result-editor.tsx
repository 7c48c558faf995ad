import { Button, NativeSelect, TextInput } from '@mantine/core'
import { type ReactNode, useId, useState } from 'react'
import type { components } from '../../api/openapi.generated.d.ts'
import { INTERPRETATION_CHOICES } from '../../components/interpretations.ts'
import type { ReportRow, ResultChanges } from './draft.ts'
import type { ReportResult } from './report-query.ts'

interface ResultEditorProps {
  row: ReportRow
  onChange: ((row: ReportRow, changes: ResultChanges | null) => void) | undefined
}

/** Shows a result, and lets a reviewer correct it. */
export function ResultEditor({ row, onChange }: ResultEditorProps): ReactNode {
  const change = onChange && ((changes: ResultChanges) => onChange(row, changes))
  if (row.isRemoved) {
    return (
      <div className="report-editor">
        <p className="quiet">This row is removed: it is not a result of the report.</p>
        {change && (
          <Button variant="subtle" size="compact-sm" onClick={() => change({})}>
            Restore result
          </Button>
        )}
      </div>
    )
  }
  return (
    <div className="report-editor">
      {change && <ResultFields row={row} onChange={change} />}
      <Codes row={row} onChange={change} />
      {onChange && (
        <Button
          variant="subtle"
          size="compact-sm"
          color="red"
          onClick={() => onChange(row, null)}
          className="report-remove"
        >
          {row.read === null ? 'Remove result' : 'Not a result'}
        </Button>
      )}
    </div>
  )
}

type Change = (changes: ResultChanges) => void

function ResultFields({ row, onChange }: { row: ReportRow; onChange: Change }): ReactNode {
  const now: ResultChanges = { ...row.read, ...row.changes }
  const text = (value: string): string | null => (value.trim() === '' ? null : value)
  return (
    <div className="report-fields">
      <TextInput
        className="report-field-wide"
        label="Name"
        value={now.test_name ?? ''}
        error={now.test_name === '' && 'Enter the name of the result.'}
        maxLength={500}
        onChange={({ currentTarget }) => onChange({ test_name: currentTarget.value })}
      />
      <TextInput
        label="Value"
        value={now.value ?? ''}
        error={now.value === '' && 'Enter the value of the result.'}
        onChange={({ currentTarget }) => onChange({ value: currentTarget.value })}
      />
      <TextInput
        label="Unit"
        value={now.units ?? ''}
        onChange={({ currentTarget }) => onChange({ units: text(currentTarget.value) })}
      />
      <BoundInput
        label="Lowest normal"
        value={now.min_reference_range ?? null}
        onChange={(value) => onChange({ min_reference_range: value })}
      />
      <BoundInput
        label="Highest normal"
        value={now.max_reference_range ?? null}
        onChange={(value) => onChange({ max_reference_range: value })}
      />
      <NativeSelect
        className="report-field-wide"
        label="Interpretation"
        description="Computed from value and interval, unless the report prints a flag or you choose one."
        value={row.changes.interpretation ?? ''}
        onChange={({ currentTarget: { value } }) =>
          onChange({ interpretation: value === '' ? undefined : value } as ResultChanges)
        }
        data={[
          { value: '', label: row.read === null ? 'Computed from the value' : 'Computed' },
          ...INTERPRETATION_CHOICES,
        ]}
      />
    </div>
  )
}

interface BoundInputProps {
  label: string
  value: number | null
  onChange: (value: number | null) => void
}

/** A bound of the interval: a number, or empty where it is open. */
function BoundInput({ label, value, onChange }: BoundInputProps): ReactNode {
  const [text, setText] = useState(value === null ? '' : String(value))
  const number = text.trim() === '' ? null : Number(text.replace(',', '.'))
  const isNumber = number === null || Number.isFinite(number)
  return (
    <TextInput
      label={label}
      inputMode="decimal"
      value={text}
      error={!isNumber && 'Enter a number.'}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value)
        const typed = currentTarget.value.trim()
        const parsed = typed === '' ? null : Number(typed.replace(',', '.'))
        if (parsed === null || Number.isFinite(parsed)) onChange(parsed)
      }}
    />
  )
}

type Match = components['schemas']['LoincMatch']

/** Lists the candidate codes of the result, of which a reviewer chooses one. */
function Codes({ row, onChange }: { row: ReportRow; onChange: Change | undefined }): ReactNode {
  const name = useId()
  const candidates = row.read?.loinc_matches ?? []
  const now: ResultChanges = { ...row.read, ...row.changes }
  const [first] = now.loinc_matches ?? []
  const chosen = now.loinc_match_status === 'auto_match' ? first?.loinc_code : undefined
  if (candidates.length === 0) return <p className="quiet">No LOINC code was found.</p>
  return (
    <fieldset className="report-codes">
      <legend>LOINC code</legend>
      {candidates.map((match) => (
        <Candidate
          key={match.loinc_code}
          name={name}
          match={match}
          isChosen={match.loinc_code === chosen}
          onChoose={onChange && (() => onChange(chooseMatch(candidates, match)))}
        />
      ))}
      {onChange && (
        <label className="report-code">
          <input
            type="radio"
            name={name}
            checked={now.loinc_match_status === 'no_match'}
            onChange={() => onChange({ loinc_matches: [], loinc_match_status: 'no_match' })}
          />
          <span>None of these</span>
        </label>
      )}
      {chosen === undefined && now.loinc_match_status === 'needs_review' && (
        <p className="quiet">Uncertain: results get no code unless you choose one.</p>
      )}
    </fieldset>
  )
}

function chooseMatch(candidates: readonly Match[], match: Match): ResultChanges {
  const others = candidates.filter((each) => each !== match)
  return {
    loinc_matches: [match, ...others],
    loinc_match_status: 'auto_match' satisfies ReportResult['loinc_match_status'],
  }
}

interface CandidateProps {
  name: string
  match: Match
  isChosen: boolean
  onChoose: (() => void) | undefined
}

function Candidate({ name, match, isChosen, onChoose }: CandidateProps): ReactNode {
  const share = `${Math.round(match.confidence_score * 100)} %`
  return (
    <label className="report-code">
      <input
        type="radio"
        name={name}
        checked={isChosen}
        disabled={onChoose === undefined}
        onChange={onChoose ?? (() => {})}
      />
      <span>
        <code>{match.loinc_code}</code> {match.loinc_name} <span className="quiet">{share}</span>
      </span>
    </label>
  )
}
