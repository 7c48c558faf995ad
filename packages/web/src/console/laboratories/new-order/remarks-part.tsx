import { Textarea, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { errorOf, FormPart, type PartProps } from './part.tsx'

/** The date on which the laboratory receives the order, and notes. */
export function RemarksPart(props: PartProps): ReactNode {
  const { draft, change, problems, demands, isTried } = props
  const accountNotes = demands?.lab_account?.default_clinical_notes
  return (
    <FormPart
      id="remarks"
      problems={problems}
      isTried={isTried}
      shown={['activate_by', 'clinical_notes', 'notes', 'passthrough']}
    >
      <div className="field-grid">
        <TextInput
          type="date"
          label="Send to the laboratory on (optional)"
          description="Without a date the laboratory receives the order at once."
          value={draft.activateBy}
          error={errorOf(props, 'activate_by')}
          onChange={({ currentTarget }) => change({ activateBy: currentTarget.value })}
        />
        <label className="check urgent">
          <input
            type="checkbox"
            checked={draft.priority}
            onChange={({ currentTarget }) => change({ priority: currentTarget.checked })}
          />
          Urgent (STAT), if the laboratory supports it
        </label>
      </div>
      <Textarea
        label="Clinical notes (optional)"
        description={
          demands?.notes_are_forwarded === false
            ? 'This laboratory reads no notes: they stay with the order.'
            : `The laboratory reads them.${accountNotes ? ` It adds: “${accountNotes}”` : ''}`
        }
        rows={2}
        maxLength={1000}
        value={draft.clinicalNotes}
        error={errorOf(props, 'clinical_notes')}
        onChange={({ currentTarget }) => change({ clinicalNotes: currentTarget.value })}
      />
      <div className="field-grid">
        <TextInput
          label="Internal notes (optional)"
          maxLength={2000}
          value={draft.notes}
          onChange={({ currentTarget }) => change({ notes: currentTarget.value })}
        />
        <TextInput
          label="Passthrough (optional)"
          description="Returned unchanged with the order and its events."
          maxLength={2000}
          value={draft.passthrough}
          onChange={({ currentTarget }) => change({ passthrough: currentTarget.value })}
        />
      </div>
    </FormPart>
  )
}
