"""Words of the command ``fork``, in both languages. Data only."""

from state.model.language import Bilingual

FORK = Bilingual(
    en="Go on from a step of an earlier run, as a new run; without --at, list its steps.",
    zh="从先前某次运行的一个步骤继续，作为新的运行；不带 --at 时列出其步骤。",
)
AT = Bilingual(
    en="Number of the step, its node (the last time; agent:2 is the second), or a checkpoint.",
    zh="步骤编号、节点名（取最后一次；agent:2 表示第二次）或检查点。",
)
LANG = Bilingual(
    en="Language of the list of steps; a report is in that of the question.",
    zh="步骤列表的语言；报告使用问题的语言。",
)
STEPS = Bilingual(en="Steps of run {run_id}", zh="运行 {run_id} 的步骤")
HOW = Bilingual(en="Go on from one as a new run: {command}", zh="从某一步继续，作为新的运行：{command}")
FORKING = Bilingual(
    en="Going on from step {number} ({node}) of run {run_id}: {question}",
    zh="从运行 {run_id} 的第 {number} 步（{node}）继续：{question}",
)
PARENT = Bilingual(en="Went on from", zh="继续自")
PARENT_VALUE = Bilingual(en="run {run_id}, checkpoint {checkpoint}", zh="运行 {run_id}，检查点 {checkpoint}")
GO_ON = Bilingual(en="Go on from one of its steps: {command}", zh="从其中一步继续：{command}")
