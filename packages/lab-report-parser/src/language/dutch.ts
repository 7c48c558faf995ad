import { type LanguageWords, list } from './language-words.ts'

/** The words of reports in Dutch. */
export const DUTCH: LanguageWords = {
  columns: {
    test: list(`
      bepaling; bepalingen; onderzoek; onderzoeken; test; parameter; analyse; omschrijving;
      laboratoriumonderzoek; naam`),
    result: list(`
      uitslag; uitslagen; resultaat; resultaten; waarde; waarden; huidig; huidige uitslag`),
    unit: list(`eenheid; eenheden; eenh.; eenh`),
    reference: list(`
      referentiewaarden; referentiewaarde; referentie; referentie-interval; referentieinterval;
      referentiegebied; normaalwaarden; normaalwaarde; normaal; streefwaarde; ref. waarde; ref.waarde;
      referentie interval; referenties; ref. waarden; ref.; normwaarden; grenswaarden; streefwaarden;
      referentiebereik`),
    flag: list(`
      afwijkend; status; opmerking; vlag; markering; beoordeling; afw.; indicatie`),
    method: list(`methode; materiaal; monster; code; techniek`),
    previous: list(`
      vorige; vorige uitslag; vorige waarde; eerdere; historie; vorig resultaat; vorige resultaten; vorig;
      eerdere uitslagen`),
  },
  header: {
    date: list(`datum`),
    patient: list(`
      patient; patientnaam; naam; naam patient; patientgegevens; naam van de patient; client; dhr.; mevr.;
      dhr; mevr; mw.; naam en voornaam`),
    firstName: list(`voornaam; voornamen; roepnaam`),
    lastName: list(`achternaam; familienaam`),
    dateOfBirth: list(`
      geboortedatum; geb. datum; geb.datum; geboren; geb.dat.; geboren op; geb. dat.; geb.; geb; gebdatum;
      geb. op`),
    age: list(`leeftijd`),
    gender: list(`geslacht`),
    ageAndGender: list(`
      leeftijd/geslacht; geslacht/leeftijd; leeftijd / geslacht; geslacht / leeftijd`),
    laboratory: list(`laboratorium; uitvoerend laboratorium; lab`),
    collected: list(`
      afnamedatum; datum afname; afgenomen; afname; bloedafname; afname datum; afgenomen op; monstername;
      afnamedatum/tijd; datum monster; afnametijd; datum bloedafname; afnamemoment; afname op; staal
      afgenomen op; datum van afname; monsterdatum; prikdatum`),
    received: list(`
      ontvangen; datum ontvangst; ontvangst; aanvraagdatum; datum aanvraag; afgedrukt; printdatum;
      ontvangstdatum; ontvangen op; aangevraagd op; afgedrukt op; aangevraagd; aanvraag van; datum van
      ontvangst; staal ontvangen op`),
    reported: list(`
      rapportdatum; rapportagedatum; datum uitslag; uitslagdatum; datum rapport; gerapporteerd;
      verslagdatum; gerapporteerd op; datum verslag; geautoriseerd; geautoriseerd op; gevalideerd op;
      datum rapportage; uitgebracht op; uitslag op; gevalideerd; datum van rapport; rapportage; rapport
      van; datum van verslag; verslag van`),
    specimenNumber: list(`
      monsternummer; monster; labnummer; ordernummer; aanvraagnummer; monsternr; monsternr.; labnr;
      labnr.; lab nr.; ordernr.; ordernr; aanvraagnr.; staalnummer; rapportnummer; laboratoriumnummer; lab
      nummer; order; dossiernummer; staal; monster nr.; lab.nr.; monster-id; aanvraag; order nr.`),
    patientNumber: list(`
      patientnummer; bsn; adres; telefoon; pat.nr.; patientnr; patientnr.; tel; tel.; pagina; verzekering;
      rijksregisternummer; inss; polisnummer; kopie`),
    physician: list(`
      arts; aanvrager; huisarts; dr.; aanvragend arts; behandelend arts; specialist; voorschrijver;
      klinisch chemicus; gevalideerd door; geautoriseerd door; aangevraagd door; kopie aan`),
  },
  normal: list(`normaal`),
  high: list(`hoog; verhoogd; te hoog`),
  low: list(`laag; verlaagd; te laag`),
  abnormal: list(`afwijkend; abnormaal`),
  critical: list(`kritiek; kritisch; alarmwaarde`),
  positive: list(`positief; aantoonbaar; aanwezig; reactief`),
  negative: list(`
      negatief; niet aantoonbaar; afwezig; niet reactief; niet gevonden; geen`),
  male: list(`man; m; mannelijk; mannen`),
  female: list(`vrouw; v; vrouwelijk; vrouwen; f`),
  sections: list(`
      hematologie; klinische chemie; chemie; bloedbeeld; stolling; immunologie; serologie; hormonen;
      urine; schildklier; lipiden; leverfunctie; nierfunctie; elektrolyten; vitaminen; vetten;
      ijzerhuishouding; leukocytendifferentiatie; differentiatie; microbiologie; endocrinologie;
      ontsteking; tumormerkers; enzymen; hemostase; stofwisseling; eiwitten; metabolisme;
      suikerhuishouding`),
}
