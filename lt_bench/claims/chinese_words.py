"""Chinese words: what each stands for among the stems, what is talk, and what is grammar.

A word of `_TOPICS` has English stems, so that a Chinese reply, an English sheet and the keys of
schema.org meet. What is in none of the tables is cut into pairs of characters.
"""

from __future__ import annotations

from typing import Final

_TOPICS: Final = """
price: 价格 价钱 售价 价位 单价 原价 现价 到手价 券后价 直播价 活动价 多少钱 多少米 啥价 几钱 什么价 卖价 定价 标价 成交价 优惠价 折后价 拼团价
weight: 重量 净重 毛重 自重 机身重量 裸机重量 重 多重 份量 分量 重不重 几斤 分量感
body weight: 体重
height: 高度 身高 机身高度 高 多高
width: 宽度 宽 多宽
length: 长度 长 多长 身长
depth: 深度 深
thickness: 厚度 厚 多厚
dimension: 尺寸 大小 规格 体积 外形尺寸 产品尺寸 多大
size: 尺码 码数 码子 号码 码 尺码表 均码
color: 颜色 配色 色号 花色 色系 颜色款 色彩 色
material: 材质 面料 料子 材料 用料 布料 质地 什么料 做工材料 主要材质 内里 里料
fill: 填充物 填充
down weight: 充绒量 充绒
down share: 含绒量 绒子含量
fluff: 蓬松度
down: 羽绒
duck down: 鸭绒
goose down: 鹅绒
white duck down: 白鸭绒
white goose down: 白鹅绒
gray duck down: 灰鸭绒
brand: 品牌 牌子 厂家牌子
model: 型号 机型
name: 名称 名字 品名
style: 款式 版型 样式 风格
category: 品类 类别 种类 类型
mode: 模式 工作模式
cool heat: 冷暖 冷暖两用 冷暖型 冷暖双用 制冷制热 冷热两用 双温
cooling_only: 单冷 单冷型 只制冷 仅制冷 单制冷 单冷款
cool: 制冷 降温 冷气 冷风
heat: 制热 加热 取暖 发热 供暖 暖风 热风 升温
cooling capacity: 制冷量 匹数
room: 房间 卧室 客厅 屋子 屋里 书房
room area: 适用面积 使用面积 面积 覆盖面积
noise level: 噪音 噪声 声音 分贝 噪音值 音量 运行噪音 噪音水平 动静 声响 吵
noise: 静音 安静 低噪 超静音 轻音
energy class: 能效 能效等级 能耗等级 能耗
一级 energy class: 一级能效
二级 energy class: 二级能效
三级 energy class: 三级能效
power: 功率 额定功率 输出功率 最大功率 瓦数
voltage: 电压 额定电压
battery: 电池 电量 锂电池
standby: 待机 待机时间
battery life: 续航 续航时间 续航能力 用多久 能用多久 电池续航 使用时长 播放时间 播放时长 续航时长
capacity: 容量 容积 总容量
battery capacity: 电池容量
water tank capacity: 水箱容量
dustbin capacity: 尘盒容量
charge: 充电 充电时间 充电时长 充满 充满电 充一次 充多久
fast charge: 快充 快速充电 闪充 超级快充
wireless charge: 无线充电 无线充 无线快充
charge case: 充电盒 充电仓
case: 收纳盒 保护壳 保护套 外壳
port: 接口 充电口 插口 端口 输出口 口
usb: usb接口
cord: 电源线 线长 电线 线缆 数据线 充电线
plug: 插头 插座 插排
remote: 遥控 遥控器
app: 手机控制 手机操控 手机遥控 手机连接 远程控制 手机应用 手机软件 小程序控制 连手机 手机上控制 手机就能控制 手机能控制 手机操作
phone: 手机
wifi: 无线网 无线网络
bluetooth: 蓝牙
bluetooth version: 蓝牙版本
noise cancel: 降噪 主动降噪 降噪功能 降噪深度 消噪
microphone: 麦克风 话筒 收音
driver: 动圈 发声单元 喇叭 单元
sound: 音质 音效 低音 听感
compatible: 兼容 适配 匹配 通用
iphone: 苹果 苹果手机 苹果机 爱疯
android: 安卓 安卓手机
macbook: 苹果笔记本 苹果本 苹果本儿 苹果电脑 苹果笔记本电脑 苹果的本 mac

laptop: 笔记本 笔记本电脑 电脑 手提电脑
waterproof: 防水 不怕水 防水性 生活防水
repellent: 防泼水 泼水
rainproof: 防雨 挡雨
sweatproof: 防汗
water resist: 抗水
windproof: 防风
dustproof: 防尘
shockproof: 防摔 防震 抗摔 减震 缓震
slip: 防滑
leakproof: 防漏 防漏水
breathable: 透气 透气性
waterproof level: 防护等级 防水等级
uv: 防晒 防紫外线 紫外线
wash: 清洗 洗涤 洗 洗护 水洗 能洗 怎么洗 好清洗
removable wash: 拆洗 可拆洗 拆下来洗 能拆洗
machine washable: 机洗 可机洗 洗衣机洗
hand washable: 手洗
dishwasher: 洗碗机
removable: 可拆 可拆卸 拆卸 能拆 拆下来 可以拆 拆得下来 拆
foldable: 折叠 可折叠 能折叠
adjustable: 可调节 调节 可调 能调
portable: 便携 便携式
automatic: 自动 全自动
automatic off: 自动断电 自动关机 自动关闭 自动停机
tip off: 倾倒断电 防倾倒 倾倒保护 倾倒自动断电 倒地断电 跌倒断电
thermostat: 恒温 温控 温控器 控温 调温
temperature: 温度 温度范围 多少度 最高温度 水温
timer: 定时 定时器 预约 定时功能 定时开关
inverter: 变频
dehumidify: 除湿 抽湿
humidify: 加湿
self evaporat: 自蒸发 免排水 免倒水 自动蒸发
mop: 拖地 湿拖 扫拖一体 扫拖 拖扫一体
vacuum: 吸尘 吸尘器
sweep: 扫地
self empty: 自动集尘 自集尘 集尘功能 集尘 自动倒垃圾 集尘座 集尘桶 自动倒尘
suction: 吸力 吸尘力
runtime: 运行时间 工作时间 清扫时间 运行时长 工作时长
dustbin: 尘盒 集尘盒 垃圾盒
navigation: 导航 导航方式 规划路线 定位方式
laser: 激光 激光导航 激光雷达
camera: 摄像头 视觉导航 摄像 相机
gyroscope: 陀螺仪
voice: 语音 语音控制 声控
pressure: 压力 气压 泵压
tank: 水箱
water tank: 储水箱
grinder: 磨豆 磨豆机 研磨 研磨器 磨豆器
milk: 奶泡 打奶泡 蒸汽奶泡 奶泡器
basket: 炸篮 篮子
nonstick: 不粘 不沾 不粘涂层 不粘锅
preset: 预设 预设菜单 菜单 程序
recipe: 食谱 菜谱
display: 显示屏 屏幕 触屏 触摸屏
screen size: 屏幕尺寸
handle: 手柄 把手 提手
wheel: 轮子 万向轮 滚轮
armrest: 扶手
lumbar: 腰托 腰靠 护腰 腰枕 腰部支撑
headrest: 头枕 头靠
recline: 后仰 后仰角度 躺 能躺 可躺 可躺角度 躺平
load: 承重 载重 最大承重 最大承载 能坐多重
footrest: 脚托 搁脚 脚踏
hood: 帽子 连帽 可拆帽
pocket: 口袋 兜 几个兜 口袋数 口袋数量 内袋
zip: 拉链
lining: 内衬 衬里
sole: 鞋底 大底 外底
insole: 鞋垫 中底
heel: 鞋跟 跟高 落差 前后掌落差
waist: 腰围 腰 腰型
high waist: 高腰
middle waist: 中腰
low waist: 低腰
提臀: 提臀
hip: 臀围 臀
chest: 胸围 胸
foot length: 脚长
stretch: 弹力 弹性 有弹性
thick: 加厚
fleece: 加绒 抓绒 绒里
thin: 薄款
strap: 背带 肩带 带子 拉杆带 行李带
compartment: 隔层 夹层 分层 电脑仓 电脑隔层
cabin size: 登机 登机尺寸 上飞机 可登机
ingredient: 成分 配料 配方 原料
ingredient list: 配料表 成分表
sugar: 含糖 糖 糖分 含糖量
added sugar: 添加糖 加糖 添加蔗糖 蔗糖
fat: 脂肪
protein: 蛋白质
calorie: 热量 卡路里
salt: 盐 含盐 盐分
salted: 盐焗 咸味 咸
roasted: 烘烤 烘焙 轻烘焙 炒制 焙烤
raw: 生的 原味
additive: 添加剂 防腐剂
preservative: 防腐
peanut: 花生
nut: 坚果
gluten: 麸质
vegan: 纯素 素食
organic: 有机
halal: 清真
allergen: 过敏原 致敏原
shelf life: 保质期 保存期 有效期限
origin: 产地 原产地 哪产的 哪里产 哪生产 生产地
china: 国产 中国 大陆
japan: 日本 日产
germany: 德国
italy: 意大利
france: 法国
korea: 韩国
america: 美国
japanese: 日系 日式
fragrance: 香味 香精 味道 气味 香型
alcohol: 酒精
silicone: 硅胶 硅油
vitamin: 维生素 维c 维他命
niacinamide: 烟酰胺
hyaluronic: 玻尿酸 透明质酸
retinol: 视黄醇 a醇 维a醇
collagen: 胶原蛋白 胶原
acid: 果酸 水杨酸
skin type: 肤质 适合肤质 适用肤质
sensitive skin: 敏感肌 敏感皮 敏皮 敏感肌肤
oily skin: 油皮 油性 油性皮肤 油性肌肤 油痘肌
dry skin: 干皮 干性 干性皮肤 干性肌肤
pregnant: 孕妇 怀孕 孕期 孕妈
patch: 贴片
moisturize: 保湿 补水 滋润
whiten: 美白 提亮
antibacterial: 抗菌 抑菌 除菌 杀菌
alexa: 智能音箱
小爱同学: 小爱 小爱音箱
siri: 语音助手
warranty: 质保 保修 质保期 保修期 质保时间 保多久 保几年 联保 全国联保 包修 质保多久 保修多久
ship: 发货 快递 物流 送货 配送 送达 到货 寄 寄到 发到 邮寄 运输 发快递 送到 包裹 发往 快递费 运费 邮费 邮资 运费多少 邮寄费
free ship: 包邮 免运费 运费我们出 邮费我们出 我们出运费 运费我出 我们包邮 免邮 免邮费 不收运费 运费全免 免快递费 包快递
return: 退货 退换 退换货 退 退回 退款 退货期 无理由 无理由退货 无理由退换 退掉 寄回 换货 包退 可退
return free: 运费险 退货包邮 退货免运费
paid by the buyer: 买家承担 自理 您承担 自己出 自付 自费 买家出 您出 您自己出 买家自理
stock: 库存 有货 现货 存货 有没有货 货源 还有吗 还有没 还有没有 还有货 能拍吗 能买吗 还能拍 还能买
sold out: 卖完 卖光 售罄 抢光 抢完 断货 缺货 没货 无货 没有货 断码
preorder: 预售 预订 预定
left stock: 剩 剩余 还剩 只剩 就剩 余量
coupon: 优惠券 券 优惠码 券码 折扣券 代金券 领券 用券 优惠劵 劵
discount: 折扣 打折 满减 立减 减 减免 优惠 直降 降价 折 省 立省 下调 让利
code: 口令 暗号 码子
gift: 赠品 赠送 赠 附赠 礼品 送 白送 礼物 加赠 随单送
pack: 套装 两件装 双支装 两只装 两件套 两包 组合装 双件装 两瓶装 两盒装 两套 两双装
bundle: 组合 搭配 套餐 一起买
rating: 评分 星级 打分 评价分 得分
review: 评价 评论 口碑 好评 好评率 买家秀
count: 数量 几个 多少个 几只 件数 个数
wash care: 保养
install: 安装 装机 装上 组装 上墙
electrician: 电工 师傅上门 安装师傅 上门安装
filter: 滤网 滤芯 过滤网 过滤
brush: 刷子 边刷 滚刷
hose: 软管 排风管 风管 排气管 管子
pet: 宠物 猫毛 狗毛 宠物毛发 毛发
bathroom: 浴室 卫生间 厕所 洗手间
extension cord: 接线板 拖线板 延长线
garden: 花园
office: 办公室 办公
gym: 健身房
swim: 游泳
bag: 袋子 包包
carry bag: 收纳袋 便携袋
防雨罩: 防雨罩 雨罩
防水袋: 防水袋 防水包
防尘袋: 防尘袋
dust cover: 防尘罩 防尘套
cotton: 棉 纯棉 全棉 棉质 棉布 精梳棉
polyester: 聚酯纤维 涤纶 聚酯 聚酯棉
wool: 羊毛 纯羊毛
cashmere: 羊绒
linen: 亚麻 麻 棉麻
silk: 真丝 蚕丝 桑蚕丝
leather: 皮 真皮 皮质 牛皮 头层牛皮 皮革 皮料 皮的
pu leather: 人造革 仿皮 皮革面
suede: 麂皮 绒面
denim: 牛仔 牛仔布
nylon: 尼龙 锦纶
spandex: 氨纶 莱卡
velvet: 天鹅绒 丝绒
bamboo: 竹 竹子 竹纤维
canvas: 帆布
mesh: 网布 网面 网眼
plastic: 塑料 塑胶
steel: 钢 不锈钢 钢制 304不锈钢
aluminum: 铝 铝合金
titanium: 钛 钛合金
iron: 铁 铸铁
copper: 铜 紫铜
brass: 黄铜
ceramic: 陶瓷
glass: 玻璃
wood: 木 木头 木质 原木
solid wood: 实木
rubber: 橡胶
carbon: 碳纤维 碳素
latex: 乳胶
memory foam: 记忆棉
foam: 海绵
oil: 油汀
quartz: 石英 石英管
red: 红色 红的 大红 正红 红款 红
酒红 red: 酒红 酒红色
blue: 蓝色 蓝的 蓝款 蓝
天蓝 blue: 天蓝 天蓝色
雾霾蓝 blue: 雾霾蓝
navy: 藏青 藏青色 深蓝 深蓝色 藏蓝 藏蓝色
green: 绿色 绿的 绿 绿款
墨绿 green: 墨绿 墨绿色
军绿 green: 军绿 军绿色
薄荷绿 green: 薄荷绿
yellow: 黄色 黄的 黄
姜黄 yellow: 姜黄 姜黄色
black: 黑色 黑的 纯黑 曜石黑 黑款 黑
white: 白色 白的 纯白 白款 白
米白 white: 米白 米白色
珍珠白 white: 珍珠白
奶白 white: 奶白 奶白色
pink: 粉色 粉的 粉红 粉红色 粉款 粉
樱花粉 pink: 樱花粉
藕粉 pink: 藕粉 藕粉色
purple: 紫色 紫的 紫
香芋紫 purple: 香芋紫
orange: 橙色 橙的 橘色 橙 橘
brown: 棕色 咖啡色 咖色 褐色 棕
焦糖 brown: 焦糖色
gray: 灰色 灰的 灰 灰款
dark gray: 深灰 深灰色
pale gray: 浅灰 浅灰色
银灰 gray: 银灰 银灰色
太空灰 gray: 太空灰
beige: 米色 杏色 燕麦色
gold: 金色 香槟金 玫瑰金
silver: 银色 银的
khaki: 卡其 卡其色
red_wine: 枣红
unisex: 男女同款 男女通用 中性款
child: 儿童 小孩 宝宝用 小朋友 孩子
baby: 婴儿
solar: 太阳能
rechargeable: 可充电
wireless: 无线 无线款
led: 灯带
heart rate: 心率
gps: 定位 北斗
nfc: 刷卡 公交卡
bpa: 双酚a
hour: 小时 钟头
minute: 分钟
day: 天 日 日内 天内
month: 个月 月
year: 年
yuan: 元 块 块钱
piece: 件
"""

_CHECKED: Final = """
红外 光疗 负离子 臭氧 除螨 除甲醛 防辐射 防静电 防夹手 童锁 儿童锁 记忆功能 空气净化 净化 新风 自清洁 自动清洁
语音播报 双核 八核 指纹 人脸 夜视 磁吸 无叶 无绳 无痕 无缝 无骨 防蓝光 护眼 石墨烯 鹅卵石 麦饭石 大理石 花岗岩 珐琅 搪瓷 合金 水晶 珍珠 玉
量子 纳米 远红外 杀毒 医用 医疗级 食品级 母婴级 军工 航天 航空 进口 原装 原装进口 手工 定制 刻字 联名 限量 限定 签名
正品 专柜 官方 旗舰 授权 专利 认证 质检 质检报告 检测报告 国标 欧盟 冠军 明星同款 网红 爆款 销量第一 全网最低 全网最低价 史低 独家
终身 假一赔十 假一赔三 假一罚十 假一赔 以旧换新 分期 免息 分期免息 货到付款 上门 上门取件 价保 保价 补差价 买贵退差 试用 试穿 先用后付
次日达 隔日达 当日达 当天发货 当天发 当天就发 今天发 今天发货 次日发货 顺丰 京东快递 闪电发货 空运 送货上门 送装一体 包安装 免费安装 免费上门
买一送一 买二送一 第二件半价 返现 红包 抽奖 积分 会员 满赠 拼团 秒杀
设计师 医生 专家 药剂师 营养师 博主 达人 大奖 获奖 设计大奖 年度 最佳 冠军 双倍 代金券 意外险 月租 门店 调货 定做 出新款 样品 GPS 指纹锁 小爱同学 天猫精灵 小度 鸿蒙 瑞士 瑞典 丹麦 芬兰
防火 阻燃 隔热 隔音 防冻 防油 防污 抗皱 免烫 速干 吸汗 排汗 凉感 发光 夜光 反光
"""

_PLAIN: Final = """
一级 二级 三级 五级 阴凉 干燥 通风 口味 口红 口感 入口 出口 门口 窗口 胃口 口罩 口腔 口香糖 路口 袖口 领口 裤口 方糖
北京 上海 广州 深圳 杭州 成都 重庆 武汉 香港 澳门 台湾 新加坡 马来西亚 泰国 越南 加拿大 澳大利亚 英国 俄罗斯 江浙沪 内蒙古 海南 东北 西北
飞机 火车 汽车 电动车 自行车 摩托车 游泳池 海边 沙滩 雪地 下雨 雨天 雨水 大雨 小雨 出汗 出国 高原 山上 爬山 登山 徒步 跑马拉松 马拉松 瑜伽 普拉提 篮球 足球 羽毛球 打球
微波炉 烤箱 冰箱 洗碗机 电视 电视机 投影 音箱 平板 平板电脑 手表 手环 游戏机 打印机 路由器 显卡 内存 硬盘 处理器
"""

_TALK: Final = """
一些 一样 一下 一下子 一起 一定 一般 一直 一点 一点点 一点儿 一共 总共 合计 一套 一种 一次 一手 一番 一边 一律 一会 一会儿 一键 一体 一个人 一方面 万一 千万 十分 百分百 百搭 四季 两用 两款 三款 几款 五星 双十一 有些 有点 有点儿 有时候 有空 有机会 有缘 有的人 有的话
亲 亲亲 宝 宝宝 宝子 宝贝 宝子们 姐妹 姐妹们 姐姐 哥哥 大哥 兄弟 兄弟们 家人 家人们 老铁 老铁们 朋友 朋友们 小姐姐 小哥哥 小伙伴 各位 大家 咱家 咱们 咱 主播 直播间 直播 上车 下车 下单 拍 拍下 去拍 链接 小黄车 购物车 加购 抢 抢购 冲 入手 入 剁手 买 卖 拿 拿下 带走 带回家 带一个 收 选 挑 推荐 建议 首选 闭眼入 放心 安心 放心拍 放心买 放心入 喜欢 中意 心动 需要 想要 想 要的话 考虑 看看 看一下 看下 瞧瞧 试试 参考 对比 了解 咨询 问 问题 客服 回复 回答 告诉 介绍 讲 说 讲解 说明 看 看到 查 查到 找 听 觉得 认为 感觉 知道 明白 清楚 确定 确认 确实 保证 放心 欢迎 谢谢 感谢 抱歉 对不起 不好意思 可惜 遗憾 没关系 没问题 没事 没错 当然 肯定 绝对 真的 真心 真是 其实 实际 实际上 实在 基本 基本上 大概 大约 差不多 左右 可能 应该 或许 也许 估计 好像 似乎 毕竟 反正 另外 此外 顺便 顺带 而且 并且 同时 还有 以及 包括 加上 另有 除了 只有 只要 只是 只能 只需 仅仅 才 才要 起步 如果 要是 假如 的话 因为 所以 因此 由于 虽然 但是 但 不过 然而 可是 只不过 而已 罢了
现在 目前 今天 今晚 明天 后天 昨天 早上 晚上 白天 中午 下午 平时 平常 日常 每天 天天 经常 随时 马上 立刻 立马 赶紧 赶快 尽快 尽量 尽管 刚刚 刚才 刚好 正好 恰好 刚 最近 之前 之后 以前 以后 以内 以上 以下 左右 上下 后来 当时 时候 时间 期间 春天 夏天 秋天 冬天 春秋 冬季 夏季 过年 过节 节日
这块 那块 哪块 一块儿 这款 那款 这个 那个 这件 那件 这双 那双 这台 那台 这条 那条 这只 那只 这瓶 这支 这种 那种 这样 那样 这么 那么 这里 那里 这边 那边 这些 那些 这儿 哪个 哪款 哪里 哪些 哪种 什么 怎么 怎么样 怎样 如何 为什么 多少 几 多久 它们 他们 我们 你们 您们 自己 本人 别人 别的 其他 其它 另一款 另一个 另外一款 上面 下面 里面 外面 后面 前面 旁边 中间 手里 手上 身上 家里 家用 出门 外出 户外 室内 车里 车上 路上 学校 公司 商品 产品 宝贝 东西 货 货品 款 款子 新款 老款 同款 全部 全都 都是 统统 所有 每个 每款 各个 整个 整体 两个 两者 其中 之一 部分
好 好的 好用 好看 好穿 好吃 好喝 好听 好评 很好 挺好 不错 不赖 棒 超棒 赞 超赞 优秀 完美 出色 优质 高级 高端 高档 大牌 大气 时尚 时髦 洋气 经典 简约 百搭 漂亮 美 美观 可爱 精致 精美 颜值 高颜值 质感 手感 质量 品质 做工 细节 用心 实用 耐用 结实 耐穿 耐磨 皮实 牢固 扎实 舒服 舒适 舒适度 柔软 软 软软 软乎乎 细腻 顺滑 丝滑 光滑 清爽 轻薄 轻便 轻巧 轻松 轻盈 小巧 迷你 方便 便利 省心 省事 省力 省电 节能 划算 超值 实惠 性价比 性价比高 值 值得 值当 便宜点 贵 贵点 不贵 便宜些 亏 合适 合身 适合 够 够用 足够 充足 完全 完全够 足足 满足 达到 达 高达 长达 多达 最高 最大 最多 最少 最低 最长 最小 最轻 最重 最便宜 更 更加 比较 相对 相比 对比 比 超 超级 特别 非常 十分 很 挺 蛮 相当 极其 太 真 最 稍微 稍 略 略微 只 仅 就 才 都 全 也 还 又 再
大 小 大一点 小一点 中 长款 短款 短 轻 轻一些 轻一点 重一些 薄 软硬 硬 热 冷 凉 暖 暖和 温暖 保暖 热乎 热乎乎 凉快 凉爽 快 慢 快速 快快 强 强劲 弱 亮 暗 新 旧 老 多 少 多一点 少一点 高低 远 近 干净 脏 安全 危险 健康 环保 绿色环保 放 放进 放得下 装 装得下 塞 塞得下 背 穿 戴 用 使用 使 吃 喝 抹 涂 擦 坐 躺着 睡 睡觉 走 走路 跑 跑步 骑车 运动 健身 上班 上学 通勤 出差 旅行 旅游 露营 逛街 约会 居家 生活 打扫 打理 收拾 收纳 做饭 做 做的 制成 制作 打造 采用 选用 使用的是 用的是 支持 具备 拥有 具有 带有 自带 配有 配备 配置 配 标配 内置 搭载 附带 包含 含有 含 内含 属于 作为 成为 变成 提供 保障 服务 售后 售后服务 店铺 店 本店 我家 仓库 厂家 商家 平台 官网 资料 信息 资料里 页面 详情 详情页 商品页 参数 参数表 表 表格 表上 卡片 数据 记录 写 写着 写的 标 标的 标明 标注 注明 提到 提及 显示 列 列出 给出 手头 手边 这方面 方面 情况 具体 详细 明确 准确 准 官方说法 相关
适用 对应 关于 至于 对于 按 按照 根据 通过 经过 直接 直接拍 自行 自由 随便 随意 任意 任何 各种 多种 多款 丰富 齐全 容易 简单 不难 麻烦 费劲 担心 害怕 怕 犹豫 纠结 等 等等 等于 相当于 也就 也就是 就是 就是说 意思 换句话说 说白了 比如 例如 像 好比 似的 一般般 普通 正常 标准 常规 固定 稳定 稳 靠谱 给力 厉害 牛 妥妥 妥 必须 必备 必入 得 得要 记得 注意 小心 提醒 温馨提示 友情提示 备注 注释 选择 可选 任选 搭 搭着 换 换成 替换 改 改成 变 开 关 开启 关闭 打开 关上 按一下 按键 按钮 键 操作 上手 学会 懂 会 能 能够 可以 可 行 成 好使 管用 有效 有用 没用 效果 作用 用处 用途 场景 场合 情景 对象 人群 男生 女生 男士 女士 男 女 老人 爸妈 妈妈 爸爸 老公 老婆 情侣 学生 学生党 上班族 宝妈 送人 送礼 自用 礼盒 包装 盒子 箱子 纸箱 打包 新鲜 日期 日期新鲜 生产日期 到期 过期 有效期 有效 截止 截至 到期日 为止 月底 月初 年底 号链接 日子 周末 工作日 法定 上午 点 点钟 整 半 多一些
怕黑 不怕黑 黑夜 黑暗 天黑 摸黑 黑灯 拆开 拆封 拆包 拆袋 拆盒 拆箱 拆一袋 拆一包 拆快递 拆一盒 开袋 饶 饶您 白搭 白瞎 白费 白给 白拿
瓶 盒 袋 包 箱 桶 罐 杯 片 粒 件数 斤 公斤 两 克 千克 米 厘米 公分 毫米 平 平米 平方 平方米 升 毫升 瓦 千瓦 毫安 毫安时 度 寸 英寸 匹 毛 角 成 星 分 档 秒 周 星期 礼拜
到 到手 到位 落地 收到 发 发出 发走 出 出货 起 开始 结束 过 过了 错过 抓紧 手慢无 库存不多 不多 不多了 有限 数量有限 量 大量 少量 批 这批 补 补货 上新 上架 下架 空 没了 没有 没
功能 设计 性能 系统 结构 工艺 技术 特点 优势 亮点 卖点 优点 缺点 科技 黑科技 智能 智慧 先进 专业 级别 等级 水平 程度 范围 区间 之间 档位 挡 多档 单 单个 独立 分开 分离 一体式 立式 卧式 台式 壁挂 挂 落地式 移动 移动式 手提 手持 拎 抱 搬 推 拉 摆 摆放 占地 占地方 空间 位置 地方 角落 桌子 桌上 桌面 床 床头 沙发 地板 地毯 墙 门 窗 窗户 阳台 厨房 水 水里 冷水 热水 温水 清水 空气 风 电 火 油 灰尘 垃圾 头发 皮肤 脸 手 脚 头 耳朵 眼睛 肚子 嘴 身体 背部
重新 重要 严重 尊重 重点 重复 长期 长久 特长 成长 家长 增长 长途 宽松 宽敞 提高 高兴 高峰 深色 浅色 深层 厚实 红火 走红 白领 直白 小白 白菜价 黑屏 黑头 绿植 粉丝 粉末 奶粉 咖啡粉 面粉 花粉 黄金 发黄 黄油 地铁 高铁 铁粉 钢琴 皮带 果皮 带皮 棉花 糖果 省份 卷发 减少 减肥 减脂 减速 运送 传送 洗手 洗发 洗脸 洗澡 洗面奶 洗碗 洗衣机 洗衣液 胸包 兜底 扫码 密码 二维码 数码 特色 角色 可乐 可靠 可怜 有关 有名 有趣 有劲 有力 在意 在乎 在线 地点 地址 得到 过程 过敏 过度 会议 会场 要求 要紧 主要 重要 想法 对面 对准 给予 让步 用户 用力 来源 去年 上次 下次 下降 上升 里程 内容 外观 外形 中心 中等 前置 后置 后续 时刻 间隔 与众不同 和谐 及时 及格 跟随 同步 同样 如此 连续 连接 连上 就算 也好 又是 再次 再说 才能 才艺 很多 太阳 更新 更换 真实 可见 能力 能量 会员价 该有 应急 应用 请假 别墅 特别款 不同 不一样 不断 不锈 不锈钢色 无论 无比 无忧 无需 非洲 未来 是否 否则 所谓 所在 所以 等待 们儿 个性 个别 个人 位于 款式 件套 点赞 点评 样子 般配 家具 家电 家庭 家务 次数 遍布 回家 回来 回弹 下面 种植 号召 双层 双肩 双肩包 双手 双面 双核心 条纹 条件 只要 台灯 支架 支付 套餐价 张力 颗粒 根本 根据 把握 多功能 多用 多层 半天 半价 第一 第二 第三
城市 地区 国家 全国 各地 偏远 偏远地区 新疆 西藏 港澳台 海外 国内 国外 本地 外地 乡镇 当地
"""

_GRAMMAR: Final = """
的 了 着 过 地 得 之 吗 呢 吧 啊 呀 哦 噢 喔 哟 啦 哈 嘛 嘞 咯 喽 哒 滴 嗯 唉 诶 哎 欸 嗨 您好 你好 哈喽 呵 呗 么 捏 鸭 嗷 呐 耶
我 你 您 他 她 它 咱们家 这 那 哪 某 每 各 本 该 其 此 啥 谁
是 有 在 为 被 把 将 让 给 叫 使 令 对 对于 向 往 从 自 由 于 以 因 用 来 去 上 下 里 内 外 中 前 后 间 时 和 与 及 跟 同 或 或者 还是 而 且 但 却 则 即 若 虽 如 像是 并 连 就 也 都 还 又 再 才 只 仅 很 太 更 最 挺 蛮 真 可 能 会 要 想 该 须 得 可以 能够 应 请 别 不 没 无 非 未 否 勿 莫 没有 不是 是的 有的 所 等 们 个 位 款 件 些 点 样 般 者 家 次 遍 回 趟 下 种 号 双 副 条 只 台 支 套 张 颗 根 把
支持 带 自带 带有 配 配有 配备 标配 采用 选用 具备 具有 含 含有 内含 包含 可用 能用
零 〇 一 二 三 四 五 六 七 八 九 十 百 千 万 亿 两 几 多 半 第
"""


def _table() -> dict[str, tuple[str, ...]]:
    words: dict[str, tuple[str, ...]] = {}
    for word in _TALK.split():
        words[word] = (word,)
    for word in (_CHECKED + _PLAIN).split():
        words[word] = (word,)
    for line in _TOPICS.strip().splitlines():
        stems, _, spelled = line.partition(":")
        for word in spelled.split():
            words[word] = tuple(stems.split())
    for word in _GRAMMAR.split():
        words[word] = ()
    return words


WORDS: Final = _table()
"""A word and its stems, before stemming; none for grammar."""
TALK: Final = frozenset(_TALK.split())
"""Words of ordinary talk, which state no property."""
CHECKED: Final = frozenset(_CHECKED.split())
"""Words of properties and promises that have no English stem and need evidence."""
