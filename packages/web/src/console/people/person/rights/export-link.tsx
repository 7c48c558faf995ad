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
  { value: '604800', label: 'As long as the export exists' },
]

interface ExportLinkProps {
  of: PersonExport
  isOpen: boolean
  onClose: () => void
}

/** Creates an address that opens the archive without a key, for the person. */
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
            Create link
          </Button>
        ) : (
          <CopyButton value={made.url}>Copy link</CopyButton>
        )
      }
    >
      <div className="rights-dialog">
        <p>
          Whoever has the link can download all data of the person without a key. Send it only to
          the person. It replaces an earlier link.
        </p>
        {made === undefined ? (
          <NativeSelect
            label="Valid for"
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
              Valid until <Instant at={made.expires_at} />. It is shown only once.
            </p>
          </>
        )}
        {link.error !== null && <Failure error={link.error} />}
      </div>
    </Dialog>
  )
}
