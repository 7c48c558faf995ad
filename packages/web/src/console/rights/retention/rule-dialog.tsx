import { Button, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { invalidFieldsOf } from '../../api/api-error.ts'
import { Dialog } from '../../components/dialog.tsx'
import { Failure } from '../../components/failure.tsx'
import { Instant } from '../../components/instant.tsx'
import { type RetainedResource, useRetentionDryRun, useRetentionRule } from './retention-queries.ts'

interface RuleDialogProps {
  /** Undefined while the dialog is closed. */
  resource: RetainedResource | undefined
  /** Days of its rule; undefined when it is kept forever. */
  days: number | undefined
  title: string
  onClose: () => void
}

/** Changes how long a resource is kept, after showing what that would remove. */
export function RuleDialog({ resource, days, title, onClose }: RuleDialogProps): ReactNode {
  return (
    <Dialog title={title} isOpen={resource !== undefined} onClose={onClose}>
      {resource !== undefined && <RuleForm resource={resource} days={days} onClose={onClose} />}
    </Dialog>
  )
}

function RuleForm({
  resource: { resource, meaning, minimum_days: least, maximum_days: most },
  days,
  onClose,
}: Omit<RuleDialogProps, 'resource' | 'title'> & { resource: RetainedResource }): ReactNode {
  const [typed, setTyped] = useState(days === undefined ? '' : String(days))
  const trial = useRetentionDryRun()
  const saving = useRetentionRule()
  const wanted = Number(typed)
  const dryRun = trial.data?.days === wanted ? trial.data : undefined
  const isTried = dryRun !== undefined
  const error = saving.error ?? trial.error
  const problem = Object.entries(invalidFieldsOf(error)).find(([path]) => path.endsWith('.days'))
  const save = (value: number | null): void =>
    saving.mutate({ resource, days: value }, { onSuccess: onClose })
  return (
    <form
      className="rights-dialog"
      onSubmit={(event) => {
        event.preventDefault()
        saving.reset()
        if (isTried) save(wanted)
        else trial.mutate({ resource, days: wanted })
      }}
    >
      <p className="quiet">
        The period removes data from before this many days ago: {meaning.charAt(0).toLowerCase()}
        {meaning.slice(1)}
      </p>
      <TextInput
        label="Days"
        description={`From ${least.toLocaleString('en')} to ${most.toLocaleString('en')} days in UTC.`}
        required
        inputMode="numeric"
        autoComplete="off"
        value={typed}
        error={problem?.[1]}
        onChange={({ currentTarget }) => {
          setTyped(currentTarget.value)
          trial.reset()
          saving.reset()
        }}
      />
      {error !== null && problem === undefined && <Failure error={error} />}
      <div role="status">{dryRun && <Effect dryRun={dryRun} />}</div>
      <div className="rights-dialog-end">
        {days !== undefined && (
          <Button
            variant="subtle"
            className="rights-dialog-other"
            loading={saving.isPending && saving.variables.days === null}
            onClick={() => save(null)}
          >
            Keep forever
          </Button>
        )}
        <Button variant="subtle" onClick={onClose}>
          Cancel
        </Button>
        <Button
          type="submit"
          loading={trial.isPending || (saving.isPending && saving.variables.days !== null)}
          disabled={!/^\d+$/.test(typed) || wanted === days}
        >
          {isTried ? 'Set period' : 'Preview removal'}
        </Button>
      </div>
    </form>
  )
}

function Effect({
  dryRun,
}: {
  dryRun: NonNullable<ReturnType<typeof useRetentionDryRun>['data']>
}): ReactNode {
  const { effect, heldPeople } = dryRun
  if (effect === undefined) return null
  const { rows, people, older_than: cutoff } = effect
  return (
    <p className="rights-effect" data-removes={rows > 0 || undefined}>
      {rows === 0 ? (
        <>
          No data are older than <Instant at={cutoff} /> now.
        </>
      ) : (
        <>
          The next run removes <b>{rows.toLocaleString('en')}</b> {rows === 1 ? 'entry' : 'entries'}
          {people > 0 && (
            <>
              {' '}
              of {people.toLocaleString('en')} {people === 1 ? 'person' : 'people'}
            </>
          )}
          , older than <Instant at={cutoff} />. This cannot be undone.
        </>
      )}
      {heldPeople > 0 &&
        ` ${heldPeople === 1 ? 'One person' : `${heldPeople} people`} under a legal hold ${heldPeople === 1 ? 'is' : 'are'} left out.`}
    </p>
  )
}
