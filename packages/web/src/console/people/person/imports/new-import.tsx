import { Button, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'
import { useEnvironment } from '../../../api/environment.ts'
import { Failure } from '../../../components/failure.tsx'
import { IconTable, IconUpload } from '../../../components/icons.tsx'
import { Section } from '../../../components/page.tsx'
import type { Person } from '../person-queries.ts'
import { formatsQuery } from './import-queries.ts'
import { formatSize } from './import-words.ts'
import { ImportZoneField } from './import-zone-field.tsx'
import { TableDialog } from './table/table-dialog.tsx'
import { useImport } from './use-import.ts'

interface NewImportProps {
  person: Person
  onBegun: (jobId: string) => void
}

/** Takes a file, uploads it and begins its import. */
export function NewImport({ person, onBegun }: NewImportProps): ReactNode {
  const [file, setFile] = useState<File>()
  const [format, setFormat] = useState('')
  const [zone, setZone] = useState('')
  const [isMapping, setMapping] = useState(false)
  const { sending, share, stop } = useImport(person.user_id, (jobId) => {
    setFile(undefined)
    onBegun(jobId)
  })
  const begin = (chosen: File): void =>
    sending.mutate({
      file: chosen,
      ...(format !== '' && { format }),
      ...(zone !== '' && { options: { time_zone: zone } }),
    })
  const isEmpty = file?.size === 0
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
          if (file !== undefined) begin(file)
        }}
      >
        <FileDrop file={file} isDisabled={sending.isPending} onChoose={setFile} />
        <details className="imports-options">
          <summary>Options</summary>
          <div className="imports-fields">
            <FormatField value={format} onChange={setFormat} />
            <ImportZoneField person={person} value={zone} onChange={setZone} />
          </div>
        </details>
        {isEmpty && <p role="alert">The file is empty. Choose another one.</p>}
        {sending.isPending ? (
          <Upload share={share} bytes={file?.size ?? 0} onStop={stop} />
        ) : (
          <div>
            <Button
              type="submit"
              disabled={file === undefined || isEmpty}
              leftSection={<IconUpload size={18} aria-hidden />}
            >
              Import file
            </Button>
          </div>
        )}
        {sending.error !== null && <Failure error={sending.error} />}
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
  file: File | undefined
  isDisabled: boolean
  onChoose: (file: File | undefined) => void
}

function FileDrop({ file, isDisabled, onChoose }: FileDropProps): ReactNode {
  const id = useId()
  const [isOver, setOver] = useState(false)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the input within does the same by keyboard
    <div
      className="imports-drop"
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        if (!isDisabled) onChoose(event.dataTransfer.files[0])
      }}
    >
      <label htmlFor={id}>Choose a file, or drop it here</label>
      <input
        id={id}
        type="file"
        disabled={isDisabled}
        onChange={({ currentTarget }) => {
          onChoose(currentTarget.files?.[0])
          currentTarget.value = ''
        }}
      />
      {file === undefined ? (
        <small className="quiet">A zip is taken as the app exported it.</small>
      ) : (
        <span className="imports-file" role="status">
          {file.name} <span className="quiet">{formatSize(file.size)}</span>
        </span>
      )}
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
