/** Why a file beside the export.xml is quarantined, in addition to the reasons of all items. */
export const FILE_FAULTS = {
  missing_file: 'The export names a file that is not in the zip.',
  unreadable_file: 'The file is damaged or has another format than its name says.',
} as const
export type FileFault = keyof typeof FILE_FAULTS
