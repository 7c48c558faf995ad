/** The segments of HL7 2.1 to 2.8.2. Those of a laboratory's own begin with Z. */
const NAMES = new Set(
  `ABS ACC ADD ADJ AFF AIG AIL AIP AIS AL1 APR ARQ ARV AUT BHS BLC BLG BPO BPX BTS BTX BUI CDM CDO
  CER CM0 CM1 CM2 CNS CON CSP CSR CSS CTD CTI CTR DB1 DEV DG1 DMI DON DPS DRG DSC DSP DST ECD ECR
  EDU EQL EQP EQU ERQ ERR EVN FAC FHS FT1 FTS GOL GP1 GP2 GT1 IAM IAR IIM ILT IN1 IN2 IN3 INV IPC
  IPR ISD ITM IVC IVT LAN LCC LCH LDP LOC LRL MCP MFA MFE MFI MRG MSA MSH NCK NDS NK1 NPU NSC NST
  NTE OBR OBX ODS ODT OH1 OH2 OH3 OH4 OM1 OM2 OM3 OM4 OM5 OM6 OM7 OM8 OMC ORC ORG ORO OVR PAC PCE
  PCR PD1 PDA PDC PEO PES PID PKG PM1 PMT PR1 PRA PRB PRC PRD PRT PSD PSG PSH PSL PSS PTH PV1 PV2
  PYE QAK QID QPD QRD QRF QRI RCP RDF RDT REL RF1 RFI RGS RMI ROL RQ1 RQD RXA RXC RXD RXE RXG RXO
  RXR RXV SAC SCD SCH SCP SDD SFT SGH SGT SHP SID SLT SPM SPR STF STZ TCC TCD TQ1 TQ2 TXA UAC UB1
  UB2 URD URS VAR VND VTQ`.split(/\s+/),
)

/** Segments of which a line may have the name alone. Other lines of three letters are text. */
const NAMES_ALONE =
  /^(?:AL1|BTS|DG1|DSC|ERR|FTS|GT1|IN[123]|NK1|NTE|OBR|OBX|ORC|PV[12]|SPM|Z[A-Z0-9]{2})$/

/** Fields of a segment with text: a line behind a later one is not part of the text. */
const TEXT_FIELDS = new Map([
  ['OBX', 5],
  ['NTE', 3],
])

/** The segment to which a line may belong: its name and what was read of it. */
export interface OpenSegment {
  name: string
  raw: () => string
}

/**
 * Returns the name of the segment that a line begins with; '' for a line that continues the open
 * segment. Three capitals of an unknown name, such as `TNP|`, are text inside OBX-5 and NTE-3, and
 * a segment elsewhere. Spaces before the name are allowed.
 */
export function segmentNameOf(line: string, separator: string, open: OpenSegment): string {
  const begun = line.trimStart()
  const name = begun.slice(0, 3)
  if (!/^[A-Z][A-Z0-9]{2}$/.test(name)) return ''
  if (begun.length === 3) return NAMES_ALONE.test(name) ? name : ''
  if (!begun.startsWith(separator, 3)) return ''
  if (NAMES.has(name) || name.startsWith('Z')) return name
  const textField = TEXT_FIELDS.get(open.name)
  if (textField === undefined) return name
  return open.raw().split(separator, textField + 2).length - 1 > textField ? name : ''
}
