import { boolean, integer, setting } from '@salus/kernel/settings'

/** Settings of the installation for lab reports. */
export const LAB_REPORT_SETTINGS = {
  labReportsEnabled: setting(
    'SALUS_LAB_REPORTS',
    'Whether lab reports can be uploaded. They are parsed on this machine.',
    'true',
    boolean('SALUS_LAB_REPORTS', true),
  ),
  labReportProcesses: setting(
    'SALUS_LAB_REPORT_PROCESSES',
    'Number of lab reports that one process of Salus reads at the same time, each in its own child process.',
    '1',
    integer('SALUS_LAB_REPORT_PROCESSES', 1, 1, 64),
  ),
  labReportMemoryMib: setting(
    'SALUS_LAB_REPORT_MEMORY_MIB',
    'Most memory for reading one lab report, in MiB. A reading that needs more is ended.',
    '1536',
    integer('SALUS_LAB_REPORT_MEMORY_MIB', 1536, 256, 65_536),
  ),
  labReportSeconds: setting(
    'SALUS_LAB_REPORT_SECONDS',
    'Longest time for reading one lab report, in seconds; four times as long on a machine without a free processor. A reading that takes longer is ended.',
    '300',
    integer('SALUS_LAB_REPORT_SECONDS', 300, 5, 3600),
  ),
  labReportIdleSeconds: setting(
    'SALUS_LAB_REPORT_IDLE_SECONDS',
    'Seconds without lab reports after which a reading process ends and frees its memory.',
    '60',
    integer('SALUS_LAB_REPORT_IDLE_SECONDS', 60, 1, 86_400),
  ),
  labReportFileDays: setting(
    'SALUS_LAB_REPORT_FILE_DAYS',
    'Days for which the files of lab reports are kept. Their results stay.',
    '30',
    integer('SALUS_LAB_REPORT_FILE_DAYS', 30, 1, 3650),
  ),
  sandboxLabReportLimit: setting(
    'SALUS_SANDBOX_LAB_REPORT_LIMIT',
    'Most parsing jobs of a team in its sandbox, without failed ones; 0 means no limit.',
    '0',
    integer('SALUS_SANDBOX_LAB_REPORT_LIMIT', 0, 0, 1_000_000_000),
  ),
}

export type LabReportSettings = {
  [Key in keyof typeof LAB_REPORT_SETTINGS]: ReturnType<(typeof LAB_REPORT_SETTINGS)[Key]['read']>
}
