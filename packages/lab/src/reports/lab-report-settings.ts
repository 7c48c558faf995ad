import { boolean, integer, setting } from '@salus/kernel/settings'

/** Settings of the installation that are about lab reports. */
export const LAB_REPORT_SETTINGS = {
  labReportsEnabled: setting(
    'SALUS_LAB_REPORTS',
    'Lab reports can be uploaded to be parsed, on this machine.',
    'true',
    boolean('SALUS_LAB_REPORTS', true),
  ),
  labReportProcesses: setting(
    'SALUS_LAB_REPORT_PROCESSES',
    'Lab reports that one process of Salus reads at the same time, each in a process of its own.',
    '1',
    integer('SALUS_LAB_REPORT_PROCESSES', 1, 1, 64),
  ),
  labReportMemoryMib: setting(
    'SALUS_LAB_REPORT_MEMORY_MIB',
    'Memory that the reading of one lab report may take, in MiB; more ends it.',
    '1536',
    integer('SALUS_LAB_REPORT_MEMORY_MIB', 1536, 256, 65_536),
  ),
  labReportSeconds: setting(
    'SALUS_LAB_REPORT_SECONDS',
    'Time that the reading of one lab report may take, in seconds; more ends it. A machine without a free processor has four times as long.',
    '300',
    integer('SALUS_LAB_REPORT_SECONDS', 300, 5, 3600),
  ),
  labReportIdleSeconds: setting(
    'SALUS_LAB_REPORT_IDLE_SECONDS',
    'A process that reads lab reports ends when it had none for so long, and its memory is free.',
    '60',
    integer('SALUS_LAB_REPORT_IDLE_SECONDS', 60, 1, 86_400),
  ),
  labReportFileDays: setting(
    'SALUS_LAB_REPORT_FILE_DAYS',
    'Days that the files of lab reports are kept; what was read in them stays.',
    '30',
    integer('SALUS_LAB_REPORT_FILE_DAYS', 30, 1, 3650),
  ),
  sandboxLabReportLimit: setting(
    'SALUS_SANDBOX_LAB_REPORT_LIMIT',
    'Most parsing jobs of a team in its sandbox that have not failed; 0 is no limit.',
    '0',
    integer('SALUS_SANDBOX_LAB_REPORT_LIMIT', 0, 0, 1_000_000_000),
  ),
}

export type LabReportSettings = {
  [Key in keyof typeof LAB_REPORT_SETTINGS]: ReturnType<(typeof LAB_REPORT_SETTINGS)[Key]['read']>
}
