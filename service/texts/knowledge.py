"""Words of ``ingest``, ``search`` and ``documents``, in both languages. Data only."""

from state.model.language import Bilingual

INGEST = Bilingual(
    en="Add documents to the knowledge base: Markdown, HTML, text, PDF and Word; folders with all they hold.",
    zh="将文档加入知识库：Markdown、HTML、纯文本、PDF 和 Word；文件夹则包含其中全部文档。",
)
PATHS = Bilingual(en="Files and folders.", zh="文件和文件夹。")
CATEGORY = Bilingual(en="Category of these documents.", zh="这些文档的类别。")
SEARCH = Bilingual(en="Search the knowledge base as a diagnosis would.", zh="像诊断时那样检索知识库。")
QUESTION = Bilingual(en="What to search for.", zh="检索内容。")
ONLY_CATEGORY = Bilingual(en="Search this category first.", zh="优先检索此类别。")
EXPLAIN = Bilingual(
    en="Show ranks, sources and quality of each hit, what was dropped and why.",
    zh="显示每条结果的排名、来源与质量，以及被舍弃的结果和原因。",
)
DOCUMENTS = Bilingual(en="The documents that were added.", zh="已加入的文档。")
LIST = Bilingual(en="List them with their state.", zh="列出文档及其状态。")
DELETE = Bilingual(en="Delete one: from searches, index and disk.", zh="删除一个文档：从检索、索引和磁盘中清除。")
DOCUMENT_ID = Bilingual(en="Id of the document, as the list shows it.", zh="文档编号，见列表。")
REBUILD = Bilingual(
    en="Make the index anew, after another embedding model or other chunk settings. Searches go on meanwhile.",
    zh="重建索引（更换向量模型或分块设置之后）。期间检索不受影响。",
)

OPENING = Bilingual(en="Opening the knowledge base …", zh="正在打开知识库……")
ADDING = Bilingual(en="[{done}/{total}] added: {name}", zh="[{done}/{total}] 已加入：{name}")
ADDED_BAD = Bilingual(en="[{done}/{total}] {name}: failed: {note}", zh="[{done}/{total}] {name}：失败：{note}")
INGESTED = Bilingual(
    en="{added} added, {unchanged} unchanged, {failed} failed", zh="新增 {added}，未变 {unchanged}，失败 {failed}"
)
CHUNKS = Bilingual(
    en="{embedded} chunks embedded, {reused} reused, {seconds} s",
    zh="向量化 {embedded} 块，复用 {reused} 块，用时 {seconds} 秒",
)
FAILED = Bilingual(en="Failed", zh="失败")
NOTED = Bilingual(en="Added with a flaw", zh="已加入但有缺陷")
IGNORED = Bilingual(en="Left alone", zh="已忽略")
PROBLEM = Bilingual(en="{path}: {why}", zh="{path}：{why}")
MORE = Bilingual(en="and {n} more", zh="另有 {n} 个")
NEXT = Bilingual(en='Try: rootproof search "…"', zh='可以试试：rootproof search "…"')

NO_DOCUMENTS = Bilingual(
    en="No documents were added yet. Add some: rootproof ingest PATH", zh="尚未加入文档。添加：rootproof ingest PATH"
)
DELETED = Bilingual(en="{doc_id} is deleted.", zh="{doc_id} 已删除。")
NO_SUCH = Bilingual(
    en="There is no document {doc_id}. See: rootproof documents list",
    zh="没有文档 {doc_id}。请查看：rootproof documents list",
)
REBUILDING = Bilingual(en="Rebuilding …", zh="正在重建……")
REBUILT = Bilingual(
    en="{documents} documents, {chunks} chunks; {embedded} embedded, {failed} failed, {seconds} s",
    zh="{documents} 个文档，{chunks} 块；向量化 {embedded}，失败 {failed}，用时 {seconds} 秒",
)

NOTHING = Bilingual(
    en="Nothing of the knowledge base is close enough to this question.", zh="知识库中没有与此问题足够接近的内容。"
)
HOW = Bilingual(
    en="{level} · quality {quality} · by {sources} · ranks: fused {fused}, vector {dense}, words {bm25}, name {name}",
    zh="{level} · 质量 {quality} · 来源 {sources} · 排名：融合 {fused}，向量 {dense}，词 {bm25}，名称 {name}",
)
DROPPED = Bilingual(en="Dropped", zh="已舍弃")
DROPPED_HIT = Bilingual(en="{title} ({path}): {why}", zh="{title}（{path}）：{why}")
ATTEMPTS = Bilingual(en="Attempts", zh="检索过程")
ATTEMPT = Bilingual(
    en="{candidates} candidates, best quality {top}, {ms} ms ({embed_ms} ms for the vector)",
    zh="{candidates} 个候选，最高质量 {top}，{ms} 毫秒（向量 {embed_ms} 毫秒）",
)
FELL_BACK = Bilingual(en="searched again without the category: {why}", zh="去掉类别后重新检索：{why}")
COVERAGE = Bilingual(en="coverage", zh="覆盖")
THRESHOLDS = Bilingual(en="thresholds", zh="阈值")
