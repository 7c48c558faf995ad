import { Button, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { useEnvironment } from '../../../api/environment.ts'
import { IconTable, IconUpload } from '../../../components/icons.tsx'
import { Section } from '../../../components/page.tsx'
import type { Person } from '../person-queries.ts'
import { FileQueue } from './file-queue.tsx'
import { formatsQuery } from './import-queries.ts'
import { formatSize } from './import-words.ts'
import { ImportZoneField } from './import-zone-field.tsx'
import { TableDialog } from './table/table-dialog.tsx'
import { useImportQueue } from './use-import.ts'

interface NewImportProps {
  person: Person
  onBegun: (jobId: string) => void
}

/** Takes files, uploads them one after the other and begins their imports. */
export function NewImport({ person, onBegun }: NewImportProps): ReactNode {
  const [format, setFormat] = useState('')
  const [zone, setZone] = useState('')
  const [isMapping, setMapping] = useState(false)
  const queue = useImportQueue(person.user_id, onBegun)
  const begin = (): void =>
    queue.begin({
      ...(format !== '' && { format }),
      ...(zone !== '' && { options: { time_zone: zone } }),
    })
  return (
    <Section
      title="New import"
      actions={
        <Button
          variant="outline"
          leftSection={<IconTable size={18} aria-hidden />}
          onClick={() => setMapping(true)}
        >
          Map a table (CSV)
        </Button>
      }
    >
      <form
        className="imports-form"
        onSubmit={(event) => {
          event.preventDefault()
          begin()
        }}
      >
        <FileDrop isDisabled={queue.isSending} onChoose={queue.add} />
        <FileQueue queue={queue} />
        <details className="imports-options">
          <summary>Options</summary>
          <div className="imports-fields">
            <FormatField value={format} onChange={setFormat} />
            <ImportZoneField person={person} value={zone} onChange={setZone} />
          </div>
        </details>
        {queue.isSending ? (
          <Upload share={queue.share} bytes={queue.bytes} onStop={queue.stop} />
        ) : (
          <div>
            <Button
              type="submit"
              disabled={!queue.isReady}
              leftSection={<IconUpload size={18} aria-hidden />}
            >
              {queue.items.length > 1 ? `Import ${queue.items.length} files` : 'Import file'}
            </Button>
          </div>
        )}
      </form>
      <TableDialog
        person={person}
        isOpen={isMapping}
        onClose={() => setMapping(false)}
        onBegun={onBegun}
      />
    </Section>
  )
}

interface FileDropProps {
  isDisabled: boolean
  onChoose: (files: readonly File[]) => void
}

/**
 * Takes files that are dropped anywhere on the page. A file beside the field would replace the page
 * in the browser otherwise.
 */
function usePageDrop({ isDisabled, onChoose }: FileDropProps): boolean {
  const [isOver, setOver] = useState(false)
  const latest = useRef({ isDisabled, onChoose })
  latest.current = { isDisabled, onChoose }
  useEffect(() => {
    const hasFiles = ({ dataTransfer }: DragEvent): boolean =>
      dataTransfer?.types.includes('Files') === true
    const over = (event: DragEvent): void => {
      if (!hasFiles(event)) return
      event.preventDefault()
      setOver(document.querySelector('dialog[open]') === null)
    }
    const leave = ({ relatedTarget }: DragEvent): void => {
      if (relatedTarget === null) setOver(false)
    }
    const drop = (event: DragEvent): void => {
      if (!hasFiles(event)) return
      event.preventDefault()
      setOver(false)
      const isBehindDialog = document.querySelector('dialog[open]') !== null
      const files = [...(event.dataTransfer?.files ?? [])]
      if (!latest.current.isDisabled && !isBehindDialog) latest.current.onChoose(files)
    }
    window.addEventListener('dragover', over)
    window.addEventListener('dragleave', leave)
    window.addEventListener('drop', drop)
    return () => {
      window.removeEventListener('dragover', over)
      window.removeEventListener('dragleave', leave)
      window.removeEventListener('drop', drop)
    }
  }, [])
  return isOver
}

function FileDrop(props: FileDropProps): ReactNode {
  const { isDisabled, onChoose } = props
  const id = useId()
  const isOver = usePageDrop(props)
  return (
    <div className="imports-drop" data-over={isOver || undefined}>
      <label htmlFor={id}>Choose files, or drop them anywhere on this page</label>
      <input
        id={id}
        type="file"
        multiple
        disabled={isDisabled}
        onChange={({ currentTarget }) => {
          onChoose([...(currentTarget.files ?? [])])
          currentTarget.value = ''
        }}
      />
      <small className="quiet">A zip is taken as the app exported it.</small>
    </div>
  )
}

function FormatField({
  value,
  onChange,
}: {
  value: string
  onChange: (format: string) => void
}): ReactNode {
  const { data: formats = [] } = useQuery(formatsQuery(useEnvironment()))
  // A table needs its template.
  const named = formats.filter(({ slug }) => slug !== 'csv')
  return (
    <NativeSelect
      label="Format"
      description="Needed only if a file is not recognized."
      value={value}
      data={[
        { value: '', label: 'Recognized by the content' },
        ...named.map(({ slug, title }) => ({ value: slug, label: title })),
      ]}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}

interface UploadProps {
  share: number
  bytes: number
  onStop: () => void
}

/** The progress of an upload. */
export function Upload({ share, bytes, onStop }: UploadProps): ReactNode {
  return (
    <div className="imports-progress">
      <progress max={1} value={share} aria-label="Upload" />
      <span>
        {Math.floor(share * 100)}% of {formatSize(bytes)} uploaded
      </span>
      <Button variant="subtle" size="compact-sm" onClick={onStop}>
        Stop
      </Button>
      <small className="quiet">
        If it breaks off, choose the same file again within a day: it continues.
      </small>
    </div>
  )
}
