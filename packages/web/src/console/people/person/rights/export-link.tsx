import { Button, NativeSelect, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { CopyButton } from '../../../components/copy-button.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { Failure } from '../../../components/failure.tsx'
import { Instant } from '../../../components/instant.tsx'
import { type PersonExport, useExports } from './export-queries.ts'

const DURATIONS = [
  { value: '3600', label: 'An hour' },
  { value: '86400', label: 'A day' },
  { value: '604800', label: 'As long as the export is there' },
]

interface ExportLinkProps {
  of: PersonExport
  isOpen: boolean
  onClose: () => void
}

/** Makes an address that opens the archive without a key, to hand it to the person. */
export function ExportLink({ of: one, isOpen, onClose }: ExportLinkProps): ReactNode {
  const { link } = useExports(one.user_id)
  const [seconds, setSeconds] = useState('86400')
  const made = link.data
  const close = (): void => {
    link.reset()
    onClose()
  }
  return (
    <Dialog
      title="Link to the export"
      isOpen={isOpen}
      onClose={close}
      actions={
        made === undefined ? (
          <Button
            loading={link.isPending}
            onClick={() => link.mutate({ id: one.id, seconds: Number(seconds) })}
          >
            Make the link
          </Button>
        ) : (
          <CopyButton value={made.url}>Copy the link</CopyButton>
        )
      }
    >
      <div className="rights-dialog">
        <p>
          Whoever has it saves everything about the person, without a key. Send it to nobody but
          them. A link that was made before ends.
        </p>
        {made === undefined ? (
          <NativeSelect
            label="Good for"
            value={seconds}
            data={DURATIONS}
            onChange={({ currentTarget }) => setSeconds(currentTarget.value)}
          />
        ) : (
          <>
            <TextInput
              label="Link"
              value={made.url}
              readOnly
              onFocus={({ target }) => target.select()}
            />
            <p className="quiet">
              Good until <Instant at={made.expires_at} />. It is shown this once.
            </p>
          </>
        )}
        {link.error !== null && <Failure error={link.error} />}
      </div>
    </Dialog>
  )
}
