import type { ReportData } from '../../../src/model/report-data.ts';
import { listFindings } from '../finding-list.ts';
import { listPages } from '../page-list.ts';
import { unfoldForPaper } from '../paper.ts';
import { slidePictures } from '../picture-slider.ts';

const text = document.getElementById('report-data')?.textContent ?? '';
const data: ReportData = JSON.parse(text);
listFindings(data);
listPages(data);
slidePictures();
unfoldForPaper();
