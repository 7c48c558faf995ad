import { Button, NativeSelect } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { Dialog } from '../components/dialog.tsx'
import { Failure } from '../components/failure.tsx'
import { bodyOf, conditionOf, draftOf, NEW_DRAFT, type RuleDraft } from './rule-draft.ts'
import { ConditionFields, OutcomeFields } from './rule-fields.tsx'
import { RulePreview } from './rule-preview.tsx'
import { useRuleCommands, useTemplates } from './rule-queries.ts'

/** Creates a rule, from a template or from nothing, after it was tried. */
export function NewRuleDialog({
  isOpen,
  onClose,
}: {
  isOpen: boolean
  onClose: () => void
}): ReactNode {
  const [draft, setDraft] = useState(NEW_DRAFT)
  const [slug, setSlug] = useState('')
  const templates = useTemplates()
  const { create } = useRuleCommands()
  const template = templates?.find((one) => one.slug === slug)
  const close = (): void => {
    setDraft(NEW_DRAFT)
    setSlug('')
    create.reset()
    onClose()
  }
  const choose = (chosen: string): void => {
    setSlug(chosen)
    const found = templates?.find((one) => one.slug === chosen)
    setDraft(found === undefined ? NEW_DRAFT : draftOf(found))
  }
  const change = (changes: Partial<RuleDraft>): void => setDraft((old) => ({ ...old, ...changes }))
  return (
    <Dialog
      title="New rule"
      isOpen={isOpen}
      onClose={close}
      className="query-dialog"
      actions={
        <Button
          loading={create.isPending}
          disabled={draft.name.trim() === ''}
          onClick={() => create.mutate(bodyOf(draft), { onSuccess: close })}
        >
          Create rule
        </Button>
      }
    >
      <div className="query-form">
        <NativeSelect
          label="Begin with"
          value={slug}
          data={[
            { value: '', label: 'No template' },
            ...(templates ?? []).map((one) => ({ value: one.slug, label: one.name })),
          ]}
          onChange={({ currentTarget }) => choose(currentTarget.value)}
        />
        {template !== undefined && (
          <p className="quiet rule-source">
            {template.meaning} {template.source}
          </p>
        )}
        <ConditionFields draft={draft} onChange={change} />
        <OutcomeFields draft={draft} onChange={change} />
        <RulePreview condition={conditionOf(draft)} />
        <p className="quiet">A rule is not a medical device. The team answers for its numbers.</p>
        {create.error !== null && <Failure error={create.error} />}
      </div>
    </Dialog>
  )
}
